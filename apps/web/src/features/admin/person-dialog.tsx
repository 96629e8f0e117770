import type { AdminUser } from '@nephos/contracts';
import { type FormEvent, lazy, useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useUser } from '../../lib/use-user.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { displayName } from '../../shell/person.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeletePerson } from './delete-person.tsx';
import { PersonPart, usePersonLists } from './person-part.tsx';

const LimitsForm = lazy(() =>
  import('../../lib/limits-form.tsx').then(({ LimitsForm }) => ({ default: LimitsForm })),
);

export interface PersonDialogProps {
  user: AdminUser;
  onClose: () => void;
}

/** What an admin does about one person. About oneself there is less. */
export function PersonDialog({ user, onClose }: PersonDialogProps) {
  const own = useUser().id === user.id;
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={`Manage ${displayName(user)}`} description={user.email}>
        <div className="divide-y divide-line">
          <Address user={user} />
          <LatePart wanted fallback={<Skeleton className="my-4 h-64" />}>
            <LimitsForm ownerId={user.id} title="Limits of their own workspace" personal />
          </LatePart>
          {!own && <SignInAs user={user} />}
          {!own && <PasswordLink user={user} />}
          {!own && <SecondFactor user={user} />}
          {!own && <Access user={user} />}
          {!own && (user.disabledAt === null ? <Disable user={user} /> : <Enable user={user} />)}
          {!own && <DeletePerson user={user} onDeleted={onClose} />}
        </div>
      </DialogContent>
    </Dialog>
  );
}

function Address({ user }: { user: AdminUser }) {
  const [email, setEmail] = useState(user.email);
  const change = useAction(trpc.admin.changeEmail.useMutation(), {
    success: 'Email address changed',
    failure: 'Failed to change the email address',
    refresh: usePersonLists(),
    onDone: (changed) => setEmail(changed.email),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!change.pending) change.run({ userId: user.id, email });
  }

  return (
    <form onSubmit={submit} noValidate className="pb-4">
      <div className="flex items-end gap-3">
        <div className="min-w-0 grow">
          <Field label="Email" error={change.fields.email} hint="Used to log in. Their sessions stay.">
            <Input
              type="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              autoComplete="off"
            />
          </Field>
        </div>
        <Button
          type="submit"
          disabled={email.trim() === user.email}
          pending={change.pending}
          className="mb-6.5 shrink-0"
        >
          Change
        </Button>
      </div>
      {change.refusal && <Notice tone="danger" title={change.refusal} className="mt-3" />}
    </form>
  );
}

function PasswordLink({ user }: { user: AdminUser }) {
  const make = trpc.admin.passwordLink.useMutation();
  const action = useAction(make, { failure: 'Failed to create the link', serverSpeaks: true });
  return (
    <>
      <PersonPart title="New password" about="A link with which they set one themselves. Send it to them.">
        <Button pending={action.pending} onClick={() => action.run({ userId: user.id })}>
          Create link
        </Button>
      </PersonPart>
      {make.data && (
        <div className="pb-4">
          <Notice tone="warning" title="Copy the link now">
            You won't see it again. It works once, within {make.data.hours} hours, and logs them out
            everywhere when it is used.
          </Notice>
          <CodeBlock code={make.data.link} label="password link" wrap />
        </div>
      )}
    </>
  );
}

function SignInAs({ user }: { user: AdminUser }) {
  const begin = useAction(trpc.admin.signInAs.useMutation(), {
    failure: 'Failed to sign in as them',
    serverSpeaks: true,
    // By a navigation, since the session is exchanged for one of theirs.
    leave: ({ path }) => window.location.assign(path),
  });
  const { consentEndsAt: until } = user;
  return (
    <PersonPart
      title={`Sign in as ${displayName(user)}`}
      about={
        until === null
          ? 'They have to allow it first, on their Account page.'
          : `Allowed until ${formatInstant(until)}. Your own session ends; theirs is marked and recorded.`
      }
    >
      <Button
        disabled={until === null}
        pending={begin.pending}
        onClick={() => begin.run({ userId: user.id })}
      >
        Sign in as them
      </Button>
    </PersonPart>
  );
}

function SecondFactor({ user }: { user: AdminUser }) {
  const remove = useAction(trpc.admin.removeSecondFactor.useMutation(), {
    success: 'Second factor removed',
    failure: 'Failed to remove the second factor',
    serverSpeaks: true,
  });
  return (
    <PersonPart title="Second factor" about="For somebody who lost their phone and their recovery codes.">
      <ConfirmDialog
        title={`Remove the second factor of ${displayName(user)}?`}
        description="Their password alone logs them in until they set up a new one. Make sure it is them who asked."
        label="Remove second factor"
        action={remove}
        onConfirm={(close) => remove.run({ userId: user.id }, close)}
        trigger={(open) => <Button onClick={open}>Remove second factor</Button>}
      />
    </PersonPart>
  );
}

function Access({ user }: { user: AdminUser }) {
  const end = useAction(trpc.admin.endAccess.useMutation(), {
    success: 'Sessions and access tokens ended',
    failure: 'Failed to end sessions and access tokens',
    serverSpeaks: true,
  });
  return (
    <PersonPart title="Sessions and access tokens" about="For a lost device or a leaked token.">
      <ConfirmDialog
        title={`End all sessions and access tokens of ${displayName(user)}?`}
        description="They are logged out everywhere and can log in again. Scripts, Git and Docker clients need new access tokens."
        label="End all"
        action={end}
        onConfirm={(close) => end.run({ userId: user.id }, close)}
        trigger={(open) => <Button onClick={open}>End all</Button>}
      />
    </PersonPart>
  );
}

function Disable({ user }: { user: AdminUser }) {
  const disable = useAction(trpc.admin.disable.useMutation(), {
    success: 'Account disabled',
    failure: 'Failed to disable the account',
    serverSpeaks: true,
    refresh: usePersonLists(),
  });
  return (
    <PersonPart title="Disable account" about="Keeps them out. Nothing of theirs is deleted.">
      <ConfirmDialog
        title={`Disable the account of ${displayName(user)}?`}
        description="Their sessions and access tokens end now, and they can't log in until you enable the account. Apps, databases and domains keep running; pushes no longer deploy."
        label="Disable account"
        action={disable}
        onConfirm={(close) => disable.run({ userId: user.id }, close)}
        trigger={(open) => (
          <Button variant="danger" onClick={open}>
            Disable
          </Button>
        )}
      />
    </PersonPart>
  );
}

function Enable({ user }: { user: AdminUser }) {
  const enable = useAction(trpc.admin.enable.useMutation(), {
    success: 'Account enabled',
    failure: 'Failed to enable the account',
    serverSpeaks: true,
    refresh: usePersonLists(),
  });
  return (
    <PersonPart
      title="Account disabled"
      about={`Since ${formatInstant(user.disabledAt ?? '')}. Enabled, they can log in again; access tokens that were ended stay so.`}
    >
      <Button pending={enable.pending} onClick={() => enable.run({ userId: user.id })}>
        Enable
      </Button>
    </PersonPart>
  );
}
