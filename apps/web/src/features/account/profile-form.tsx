import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

export function ProfileForm() {
  const utils = trpc.useUtils();
  const [user] = trpc.auth.user.useSuspenseQuery();
  const { values, set, reset, changed } = useDraft({
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
  });
  const save = useAction(trpc.auth.updateProfile.useMutation(), {
    success: 'Profile saved',
    failure: 'Failed to save profile',
    serverSpeaks: true,
    onDone: (saved) => {
      utils.auth.user.setData(undefined, saved);
      reset();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (changed && !save.pending) save.run(values);
  }

  return (
    <Card>
      <CardHeader title="Profile" description={`Signed in as ${user.email}`} />
      <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="First name" error={save.fields.firstName}>
            <Input
              value={values.firstName}
              onChange={(event) => set('firstName', event.target.value)}
              autoComplete="given-name"
            />
          </Field>
          <Field label="Last name" error={save.fields.lastName}>
            <Input
              value={values.lastName}
              onChange={(event) => set('lastName', event.target.value)}
              autoComplete="family-name"
            />
          </Field>
        </div>
        {save.refusal && <Notice tone="danger" title={save.refusal} />}
        <div>
          <Button type="submit" variant="primary" disabled={!changed} pending={save.pending}>
            Save profile
          </Button>
        </div>
      </form>
    </Card>
  );
}
