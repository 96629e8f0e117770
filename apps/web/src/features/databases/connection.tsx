import type { DatabaseConnection, ManagedDatabase } from '@nephos/contracts';
import { Eye, EyeOff, KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Address, MASK, maskedAddress, parseAddress } from './address.ts';

interface ConnectionDetailsProps {
  address: Address;
  /** Whether the password is shown from the beginning. */
  revealed?: boolean;
  /** Whether host, port, database, user and password follow one by one. */
  parts?: boolean;
}

/** How to reach a database, to reveal and to copy. Until it is revealed, the page does not hold the password. */
export function ConnectionDetails({
  address,
  revealed: initially = false,
  parts = false,
}: ConnectionDetailsProps) {
  const [revealed, setRevealed] = useState(initially);
  const { connectionString } = address;
  return (
    <>
      <CodeBlock
        code={connectionString}
        shown={revealed ? connectionString : maskedAddress(connectionString)}
        label="connection string"
        wrap
        action={
          <Button size="sm" variant="ghost" onClick={() => setRevealed(!revealed)}>
            {revealed ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            {revealed ? 'Hide' : 'Reveal'}
          </Button>
        }
      />
      {parts && <AddressParts address={address} revealed={revealed} />}
    </>
  );
}

const PARTS = [
  ['Host', 'host'],
  ['Port', 'port'],
  ['Database', 'database'],
  ['User', 'user'],
  ['Password', 'password'],
] as const;

/** The address in the pieces that forms and configuration files ask for. */
function AddressParts({ address, revealed }: { address: Address; revealed: boolean }) {
  return (
    <dl className="mt-4 divide-y divide-line border-line border-t">
      {PARTS.filter(([, part]) => address[part] !== '').map(([label, part]) => (
        <div key={part} className="flex min-h-11 items-center gap-3 py-1 text-sm">
          <dt className="w-20 shrink-0 text-faint">{label}</dt>
          <dd className="flex min-w-0 grow items-center justify-between gap-2">
            <code className="min-w-0 break-all">
              {part === 'password' && !revealed ? MASK : address[part]}
            </code>
            <CopyButton value={address[part]} label={`Copy ${label.toLowerCase()}`} className="mr-2.5" />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface WithConnectionProps {
  database: ManagedDatabase;
  /** Whether it is fetched without being asked for, as where its own button was just pressed. */
  atOnce?: boolean;
  children: (address: Address, connection: DatabaseConnection) => ReactNode;
}

/** What needs a database's address, or why there is none to be had. */
export function WithConnection({ database, ...rest }: WithConnectionProps) {
  switch (database.status) {
    case 'creating':
      return (
        <p role="status" className="flex items-center gap-2.5 text-muted">
          <Spinner className="shrink-0" />
          {database.work === 'restoring'
            ? 'Restoring the database. The connection string appears here once that is done.'
            : 'Creating the database. The connection string appears here in a few seconds.'}
        </p>
      );
    case 'failed':
      return (
        <Notice tone="warning" title="No connection string">
          The database could not be created. {database.error}
        </Notice>
      );
    case 'available':
      return <Fetched database={database} {...rest} />;
  }
}

/** Fetched when it is asked for, since that may ask for a proof of who the person is, and forgotten when it is not shown any more: it holds the password. */
function Fetched({ database, atOnce = false, children }: WithConnectionProps) {
  const { id } = database;
  const need = useNeed('secrets');
  const [isShown, setShown] = useState(atOnce);
  const connection = trpc.databases.connection.useQuery(
    { id },
    { enabled: isShown, staleTime: 0, gcTime: 0 },
  );
  if (!isShown) {
    return (
      <>
        {database.passwordChanged && <PasswordChanged database={database} />}
        <Button {...need} onClick={() => setShown(true)}>
          Show connection string
        </Button>
      </>
    );
  }
  if (connection.data) {
    const { connectionString, passwordChanged } = connection.data;
    return (
      <>
        {passwordChanged && <PasswordChanged database={database} />}
        {children(parseAddress(connectionString), connection.data)}
      </>
    );
  }
  if (connection.error)
    return <LoadFailure query={connection} failure="Failed to load the connection string" />;
  return (
    <SkeletonGroup label="Loading the connection string">
      <Skeleton className="h-14 rounded-lg" />
    </SkeletonGroup>
  );
}

function PasswordChanged({ database }: { database: ManagedDatabase }) {
  return (
    <Notice
      tone="warning"
      className="mb-4"
      title="The password was changed outside Nephos"
      action={<RotatePassword database={database} />}
    >
      The connection string below no longer works. Use the password that was set, or reset it to get a new
      string.
    </Notice>
  );
}

interface RotatePasswordProps {
  database: ManagedDatabase;
}

/** Gives the database a new password, once the person knows what that ends. */
export function RotatePassword({ database: { id, name } }: RotatePasswordProps) {
  const need = useNeed('build');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...need} onClick={() => setOpen(true)}>
        <KeyRound aria-hidden="true" />
        Reset password
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Reset password" description={name}>
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
    success: 'Password reset',
    failure: 'Failed to reset the password',
    serverSpeaks: true,
    refresh: [utils.databases.connection, utils.databases.usage, utils.databases.get, utils.databases.list],
    onDone: (output) => setConnectionString(output.connectionString),
  });

  if (connectionString) return <Rotated connectionString={connectionString} />;
  return (
    <>
      <p className="text-muted">
        The old password stops working and all open connections end. Apps can't connect again until they use
        the new connection string.
      </p>
      {rotate.refusal && <Notice tone="danger" title={rotate.refusal} className="mt-4" />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button variant="danger" {...rotate.button} onClick={() => rotate.run({ id })}>
          Reset password
        </Button>
      </DialogFooter>
    </>
  );
}

function Rotated({ connectionString }: { connectionString: string }) {
  return (
    <>
      <p className="mb-4 text-muted">This is the new connection string. The old password no longer works.</p>
      <ConnectionDetails address={parseAddress(connectionString)} revealed />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}
