import { PASSWORD_MIN } from '@nephos/contracts/constants';
import type { FormEvent, ReactNode } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The person's name. */
export function ProfileForm() {
  const utils = trpc.useUtils();
  const [user] = trpc.auth.user.useSuspenseQuery();
  const draft = useDraft({ firstName: user.firstName ?? '', lastName: user.lastName ?? '' });
  const save = useAction(trpc.auth.updateProfile.useMutation(), {
    success: 'Profile saved',
    failure: 'Failed to save profile',
    serverSpeaks: true,
    onDone: (saved) => {
      utils.auth.user.setData(undefined, (before) => before && { ...before, ...saved });
      draft.reset();
    },
  });
  return (
    <FormCard
      title="Profile"
      description={`Logged in as ${user.email}`}
      label="Save profile"
      ready={draft.changed}
      action={save}
      onSubmit={() => save.run(draft.values)}
    >
      <NameFields draft={draft} errors={save.fields} />
    </FormCard>
  );
}

interface NameFieldsProps {
  draft: Draft<{ firstName: string; lastName: string }>;
  errors: FieldErrors;
}

function NameFields({ draft: { values, set }, errors }: NameFieldsProps) {
  return (
    <>
      <Field label="First name" error={errors.firstName}>
        <Input
          value={values.firstName}
          onChange={(event) => set('firstName', event.target.value)}
          autoComplete="given-name"
        />
      </Field>
      <Field label="Last name" error={errors.lastName}>
        <Input
          value={values.lastName}
          onChange={(event) => set('lastName', event.target.value)}
          autoComplete="family-name"
        />
      </Field>
    </>
  );
}

const NO_PASSWORDS = { currentPassword: '', newPassword: '' };

/** The person's password, which an account that signs in elsewhere may not have yet. */
export function PasswordForm() {
  const utils = trpc.useUtils();
  const [user] = trpc.auth.user.useSuspenseQuery();
  const draft = useDraft(NO_PASSWORDS);
  const { currentPassword, newPassword } = draft.values;
  const change = useAction(trpc.auth.changePassword.useMutation(), {
    success: 'Password changed. Other sessions and access tokens were revoked.',
    failure: 'Failed to change password',
    serverSpeaks: true,
    refresh: [utils.auth.sessions, utils.auth.tokens],
    onDone: draft.reset,
  });
  return (
    <FormCard
      title="Password"
      description="Changing it logs out your other sessions and revokes your access tokens."
      label="Change password"
      ready={newPassword !== ''}
      action={change}
      onSubmit={() => change.run({ newPassword, ...(currentPassword && { currentPassword }) })}
    >
      {/* Password managers look for the account's name beside the password. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <PasswordFields draft={draft} errors={change.fields} />
    </FormCard>
  );
}

interface PasswordFieldsProps {
  draft: Draft<typeof NO_PASSWORDS>;
  errors: FieldErrors;
}

function PasswordFields({ draft: { values, set }, errors }: PasswordFieldsProps) {
  return (
    <>
      <Field
        label="Current password"
        error={errors.currentPassword}
        hint="Leave blank if you haven't set a password."
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
        error={errors.newPassword}
        hint={`At least ${PASSWORD_MIN} characters.`}
      >
        <Input
          type="password"
          value={values.newPassword}
          onChange={(event) => set('newPassword', event.target.value)}
          autoComplete="new-password"
        />
      </Field>
    </>
  );
}

interface FormCardProps {
  title: string;
  description: string;
  /** The verb on the button. */
  label: string;
  /** Whether what was typed can be sent. */
  ready: boolean;
  action: { pending: boolean; refusal: string | undefined };
  /** Called when it can be sent and is not under way. */
  onSubmit: () => void;
  /** The fields, two beside each other. */
  children: ReactNode;
}

function FormCard({ title, description, label, ready, action, onSubmit, children }: FormCardProps) {
  const { pending, refusal } = action;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !pending) onSubmit();
  }

  return (
    <Card>
      <CardHeader title={title} description={description} />
      <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
        <div className="grid gap-4 sm:grid-cols-2">{children}</div>
        {refusal && <Notice tone="danger" title={refusal} />}
        <div>
          <Button type="submit" variant="primary" disabled={!ready} pending={pending}>
            {label}
          </Button>
        </div>
      </form>
    </Card>
  );
}
