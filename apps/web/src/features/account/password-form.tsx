import { PASSWORD_MIN } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

const DEFAULTS = { currentPassword: '', newPassword: '' };

export function PasswordForm() {
  const utils = trpc.useUtils();
  const [user] = trpc.auth.user.useSuspenseQuery();
  const { values, set, reset } = useDraft(DEFAULTS);
  const change = useAction(trpc.auth.changePassword.useMutation(), {
    success: 'Password changed. Your other sessions have ended.',
    failure: 'Failed to change password',
    serverSpeaks: true,
    refresh: [utils.auth.sessions],
    onDone: reset,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!values.newPassword || change.pending) return;
    const { currentPassword, newPassword } = values;
    change.run({ newPassword, ...(currentPassword && { currentPassword }) });
  }

  return (
    <Card>
      <CardHeader title="Password" description="Changing it ends all your other sessions. This one stays." />
      <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
        {/* Password managers look for the account's name beside the password. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Current password"
            error={change.fields.currentPassword}
            hint="Empty for an account that has no password yet."
          >
            <Input
              type="password"
              value={values.currentPassword}
              onChange={(event) => set('currentPassword', event.target.value)}
              autoComplete="current-password"
            />
          </Field>
          <Field
            label="New password"
            required
            error={change.fields.newPassword}
            hint={`At least ${PASSWORD_MIN} characters.`}
          >
            <Input
              type="password"
              value={values.newPassword}
              onChange={(event) => set('newPassword', event.target.value)}
              autoComplete="new-password"
            />
          </Field>
        </div>
        {change.refusal && <Notice tone="danger" title={change.refusal} />}
        <div>
          <Button type="submit" variant="primary" disabled={!values.newPassword} pending={change.pending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
