import type { CreatedInvitation } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { DialogClose, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

export function InviteForm({ onCreated }: { onCreated: (created: CreatedInvitation) => void }) {
  const utils = trpc.useUtils();
  const [email, setEmail] = useState('');
  const create = useAction(trpc.admin.createInvitation.useMutation(), {
    failure: 'Failed to make the invitation',
    refresh: [utils.admin.invitations],
    onDone: onCreated,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!create.pending) create.run({ email: email.trim() });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field
        label="E-mail (optional)"
        error={create.fields.email}
        hint="With an address, the link makes an account for that address alone."
      >
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          placeholder="grace@example.com"
          autoComplete="off"
        />
      </Field>
      {create.refusal && <Notice tone="danger" title={create.refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={create.pending}>
          Make link
        </Button>
      </DialogFooter>
    </form>
  );
}
