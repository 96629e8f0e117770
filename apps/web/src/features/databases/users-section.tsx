import type { DatabaseUser, ManagedDatabase } from '@nephos/contracts';
import { DATABASE_USER_ACCESSES } from '@nephos/contracts/constants';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { parseAddress } from './address.ts';
import { ConnectionDetails } from './connection.tsx';

const ACCESS = { read: 'Read only', write: 'Read and write' } as const;

/** Who else can connect to a database of a server of its own. */
export function UsersSection({ database: { id } }: { database: ManagedDatabase }) {
  const need = useNeed('build');
  const [making, setMaking] = useState(false);
  const users = trpc.databaseUsers.list.useQuery({ id });
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Users"
        description="Further users see the tables of this database alone, those to come included. They share its connections."
        aside={
          <Button size="sm" {...need} onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" />
            New user
          </Button>
        }
      />
      <div className="mt-4">
        {users.data ? (
          <UserTable id={id} users={users.data} />
        ) : users.error ? (
          <LoadFailure query={users} failure="Failed to load the users" />
        ) : (
          <SkeletonGroup label="Loading the users">
            <Skeleton className="h-12" />
          </SkeletonGroup>
        )}
      </div>
      {making && <NewUserDialog id={id} onClose={() => setMaking(false)} />}
    </Card>
  );
}

function UserTable({ id, users }: { id: string; users: readonly DatabaseUser[] }) {
  if (users.length === 0) return <p className="text-muted">No further users.</p>;
  return (
    <Table label="Users">
      <TableHead>
        <TableHeading>Name</TableHeading>
        <TableHeading>Access</TableHeading>
        <TableHeading>
          <span className="sr-only">Actions</span>
        </TableHeading>
      </TableHead>
      <TableBody>
        {users.map((user) => (
          <TableRow key={user.id}>
            <TableCell>
              <code className="wrap-anywhere">{user.name}</code>
            </TableCell>
            <TableCell className="text-muted">{ACCESS[user.access]}</TableCell>
            <TableCell className="whitespace-nowrap text-right">
              <RotateUser id={id} user={user} />
              <RemoveUser id={id} user={user} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function NewUserDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const utils = trpc.useUtils();
  const [address, setAddress] = useState<string>();
  const { values, set } = useDraft<{ name: string; access: DatabaseUser['access'] }>({
    name: '',
    access: 'read',
  });
  // Refused or not: where the database's server did not answer in time, the user may have been made all the same.
  const onSettled = () => void utils.databaseUsers.list.invalidate();
  const create = useAction(trpc.databaseUsers.create.useMutation({ gcTime: 0, onSettled }), {
    failure: 'Failed to add the user',
    serverSpeaks: true,
    onDone: ({ connectionString }) => setAddress(connectionString),
  });
  return (
    <FormDialog
      title="New user"
      description="The connection string is shown once."
      label="Add user"
      ready={values.name !== ''}
      action={create}
      onSubmit={() => create.run({ id, ...values })}
      onClose={onClose}
      result={address === undefined ? undefined : <Shown address={address} />}
    >
      <Field label="Name" required error={create.fields.name} hint="Lower-case letters, digits and _">
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="reporting"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Access" error={create.fields.access}>
        <Select
          value={values.access}
          onValueChange={(access) => set('access', access)}
          options={DATABASE_USER_ACCESSES.map((value) => ({ value, label: ACCESS[value] }))}
        />
      </Field>
    </FormDialog>
  );
}

function Shown({ address }: { address: string }) {
  return (
    <>
      <Notice title="Copy the connection string now. It won't be shown again." className="mb-4" />
      <ConnectionDetails address={parseAddress(address)} revealed />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

function RotateUser({ id, user }: { id: string; user: DatabaseUser }) {
  const [address, setAddress] = useState<string>();
  const rotate = useAction(trpc.databaseUsers.rotatePassword.useMutation({ gcTime: 0 }), {
    success: 'Password reset',
    failure: 'Failed to reset the password',
    serverSpeaks: true,
    onDone: ({ connectionString }) => setAddress(connectionString),
  });
  function close() {
    setAddress(undefined);
    // The cache of mutations keeps the answer, password included, for as long as it is observed.
    rotate.reset();
  }

  return (
    <>
      <ConfirmDialog
        title={`Reset the password of ${user.name}?`}
        description="The old password stops working at once, and open connections of this user end."
        label="Reset password"
        action={rotate}
        onConfirm={(close) => rotate.run({ id, userId: user.id }, close)}
        trigger={(open) => (
          <IconButton
            label={`Reset the password of ${user.name}`}
            title="Reset password"
            size="sm"
            onClick={open}
          >
            <KeyRound aria-hidden="true" />
          </IconButton>
        )}
      />
      {address !== undefined && (
        <Dialog open onOpenChange={close}>
          <DialogContent title={`New password of ${user.name}`} description="It replaces the old one.">
            <Shown address={address} />
          </DialogContent>
        </Dialog>
      )}
    </>
  );
}

function RemoveUser({ id, user }: { id: string; user: DatabaseUser }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.databaseUsers.remove.useMutation(), {
    success: 'User removed',
    failure: 'Failed to remove the user',
    serverSpeaks: true,
    refresh: [utils.databaseUsers.list],
  });
  return (
    <ConfirmDialog
      title={`Remove ${user.name}?`}
      description="Open connections of this user end, and nobody can connect as them any more. No rows are lost."
      label="Remove"
      action={remove}
      onConfirm={(close) => remove.run({ id, userId: user.id }, close)}
      trigger={(open) => (
        <IconButton label={`Remove ${user.name}`} title="Remove" size="sm" onClick={open}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      )}
    />
  );
}
