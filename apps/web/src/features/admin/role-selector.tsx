import type { Role, User } from '@nephos/contracts';
import { useId, useRef, useState } from 'react';
import { useUser } from '../../shell/use-user.ts';
import { Select } from '../../ui/select.tsx';
import { MakeAdmin } from './make-admin.tsx';
import { ROLE_NAMES } from './role-names.ts';
import { useChangeRole } from './use-change-role.ts';

// Keys of an object of roles.
const OPTIONS = (Object.keys(ROLE_NAMES) as Role[]).map((value) => ({ value, label: ROLE_NAMES[value] }));

/** Changes the role of anyone but oneself. */
export function RoleSelector({ user }: { user: User }) {
  return useUser().id === user.id ? <OwnRole user={user} /> : <OthersRole user={user} />;
}

function OwnRole({ user: { email, role } }: { user: User }) {
  const reason = useId();
  return (
    <div className="py-2">
      <Select
        aria-label={`Role of ${email}`}
        aria-describedby={reason}
        value={role}
        onValueChange={() => {}}
        options={OPTIONS}
        disabled
        className="inline-flex! w-32!"
      />
      <p id={reason} className="mt-1 text-faint text-sm @4xl/page:whitespace-nowrap">
        You cannot change your own role.
      </p>
    </div>
  );
}

function OthersRole({ user }: { user: User }) {
  const [promoting, setPromoting] = useState(false);
  const chosen = useRef<Role>(undefined);
  const { change, changing } = useChangeRole(user, () => setPromoting(false));

  function apply() {
    const role = chosen.current;
    chosen.current = undefined;
    // Not disabled while it changes, since that would lose the focus.
    if (!role || change.pending) return;
    if (role === 'admin') setPromoting(true);
    else change.run({ userId: user.id, role });
  }

  return (
    <>
      <Select
        aria-label={`Role of ${user.email}`}
        value={changing ?? user.role}
        onValueChange={(role) => {
          chosen.current = role;
        }}
        onClosed={apply}
        options={OPTIONS}
        className="w-32!"
      />
      <MakeAdmin
        user={user}
        open={promoting}
        onOpenChange={setPromoting}
        pending={change.pending}
        onConfirm={() => change.run({ userId: user.id, role: 'admin' })}
      />
    </>
  );
}
