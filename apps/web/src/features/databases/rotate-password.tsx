import type { ManagedDatabase } from '@nephos/contracts';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { parseAddress } from './address.ts';
import { ConnectionDetails } from './connection-details.tsx';

export interface RotatePasswordProps {
  database: ManagedDatabase;
  label?: string;
}

/** Gives the database a new password, once the person knows what that ends. */
export function RotatePassword({ database: { id, name }, label = 'Rotate password' }: RotatePasswordProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <KeyRound aria-hidden="true" />
        {label}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Rotate Password" description={name}>
          <Rotation id={id} />
        </DialogContent>
      </Dialog>
    </>
  );
}

/** Mounted with the dialog: the new password is forgotten when it closes. */
function Rotation({ id }: { id: string }) {
  const [connectionString, setConnectionString] = useState<string>();
  const utils = trpc.useUtils();
  // Not kept once it was answered: the answer holds the password.
  const rotate = useAction(trpc.databases.rotatePassword.useMutation({ gcTime: 0 }), {
    success: 'Password rotated',
    failure: 'Failed to rotate the password',
    serverSpeaks: true,
    refresh: [utils.databases.connection, utils.databases.usage, utils.databases.get, utils.databases.list],
    onDone: (output) => setConnectionString(output.connectionString),
  });

  if (connectionString) return <Rotated connectionString={connectionString} />;
  return (
    <>
      <p className="text-muted">
        The database gets a new password at once. The old one is refused from then on, and all open
        connections end: apps that use it fail until they have the new connection string.
      </p>
      {rotate.refusal && <Notice tone="danger" title={rotate.refusal} className="mt-4" />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button variant="danger" pending={rotate.pending} onClick={() => rotate.run({ id })}>
          Rotate password
        </Button>
      </DialogFooter>
    </>
  );
}

function Rotated({ connectionString }: { connectionString: string }) {
  return (
    <>
      <p className="mb-4 text-muted">
        This is the new connection string. The old password is refused from now on.
      </p>
      <ConnectionDetails address={parseAddress(connectionString)} revealed />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}
