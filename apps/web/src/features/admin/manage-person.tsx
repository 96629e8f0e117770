import type { AdminUser } from '@nephos/contracts';
import { useState } from 'react';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';

const PersonDialog = lateDialog({ fields: 3 }, () =>
  import('./person-dialog.tsx').then(({ PersonDialog }) => PersonDialog),
);

/** The way to what can be done about a person besides their role. */
export function ManagePerson({ user }: { user: AdminUser }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`Manage ${user.email}`} onClick={() => setOpen(true)}>
        Manage
      </Button>
      {open && <PersonDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
