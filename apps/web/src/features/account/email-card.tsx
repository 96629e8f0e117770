import { type FormEvent, useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The address that the person logs in with, and its change. */
export function EmailCard() {
  const [user] = trpc.auth.user.useSuspenseQuery();
  const change = trpc.auth.emailChange.useQuery();
  const factors = trpc.auth.factors.useQuery();
  return (
    <Card>
      <CardHeader title="Email" description={`You log in with ${user.email}.`} />
      {change.error && !change.data && (
        <div className="mt-4">
          <LoadFailure query={change} failure="Failed to load the change of address" />
        </div>
      )}
      {change.data && !change.data.mail && (
        <p className="mt-4 text-muted">
          This server sends no mail, so an administrator has to change your address.
        </p>
      )}
      {change.data?.pending && <PendingChange {...change.data.pending} />}
      {change.data?.mail &&
        (factors.data?.passwordSet === false ? (
          <p className="mt-4 text-muted">Set a password for your account first.</p>
        ) : (
          <EmailForm />
        ))}
    </Card>
  );
}

function PendingChange({ email, expiresAt }: { email: string; expiresAt: string }) {
  const utils = trpc.useUtils();
  const cancel = useAction(trpc.auth.cancelEmailChange.useMutation(), {
    success: 'Email change cancelled',
    failure: 'Failed to cancel the email change',
    serverSpeaks: true,
    refresh: [utils.auth.emailChange],
  });
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p role="status" className="min-w-0 grow basis-60 break-words">
        Open the link in the mail to <strong>{email}</strong> until {formatInstant(expiresAt)} to use this
        address.
      </p>
      <Button size="sm" pending={cancel.pending} onClick={() => cancel.run()}>
        Withdraw
      </Button>
    </div>
  );
}

const NOTHING = { email: '', password: '' };

function EmailForm() {
  const utils = trpc.useUtils();
  const [values, setValues] = useState(NOTHING);
  const change = useAction(trpc.auth.changeEmail.useMutation(), {
    failure: 'Failed to change the address',
    serverSpeaks: true,
    onDone: (state) => {
      utils.auth.emailChange.setData(undefined, state);
      setValues(NOTHING);
    },
  });
  const ready = values.email.trim() !== '' && values.password !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !change.pending) change.run({ ...values, email: values.email.trim() });
  }

  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="New email"
          required
          error={change.fields.email}
          hint="Gets a mail with a link to confirm."
        >
          <Input
            type="email"
            value={values.email}
            onChange={(event) => setValues({ ...values, email: event.target.value })}
            autoComplete="email"
          />
        </Field>
        <Field label="Your password" required error={change.fields.password}>
          <Input
            type="password"
            value={values.password}
            onChange={(event) => setValues({ ...values, password: event.target.value })}
            autoComplete="current-password"
          />
        </Field>
      </div>
      {change.refusal && <Notice tone="danger" title={change.refusal} />}
      <div>
        <Button type="submit" variant="primary" disabled={!ready} pending={change.pending}>
          Change email
        </Button>
      </div>
    </form>
  );
}
