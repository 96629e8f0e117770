import type { ManagedDatabase } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** The way out of a database, which asks for its name. */
export function DeleteDatabase({ database: { id, name } }: { database: ManagedDatabase }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.databases.remove.useMutation(), {
    success: 'Database deleted',
    failure: 'Failed to delete the database',
    serverSpeaks: true,
    refresh: [utils.databases.list],
    onDone: () => {
      setAsking(false);
      // Once it is out of sight: going back has to ask the server, and find it gone.
      void navigate({ to: '/databases' }).then(() => utils.databases.get.reset({ id }));
    },
  });
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Database?"
        description="Everything in it is deleted for good, its user as well, and open connections end. There is no way to get it back."
        name={name}
        confirmLabel="Delete database"
        onConfirm={() => remove.run({ id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
