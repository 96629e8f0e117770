import type { CreatedInvitation } from '@nephos/contracts';
import { useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { InvitationLink } from '../../lib/invitation-link.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

/** In the place of a refusal: the form can't be sent where no link would let anyone in. */
const CLOSED = {
  state: 'full',
  line: 'Sign-ups are closed on this server, so a link would let nobody in. To invite people, set SIGNUPS=invite.',
} as const;

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const welcome = trpc.auth.welcome.useQuery();
  const [email, setEmail] = useState('');
  const [created, setCreated] = useState<CreatedInvitation>();
  const create = useAction(trpc.admin.createInvitation.useMutation(), {
    failure: 'Failed to create invitation',
    refresh: [utils.admin.invitations],
    onDone: setCreated,
  });
  return (
    <FormDialog
      title="Invite a user"
      description="Create a link for one account. Where this server sends mail, it goes to the address as well."
      label="Create link"
      ready
      limit={welcome.data?.invitations === false ? CLOSED : undefined}
      action={create}
      onSubmit={() => create.run({ email: email.trim() })}
      onClose={onClose}
      result={
        created && (
          <InvitationLink created={created} onDone={onClose}>
            It creates one account{created.email && <> for {created.email}</>} and expires{' '}
            {formatInstant(created.expiresAt)}.
          </InvitationLink>
        )
      }
    >
      <Field
        label="Email (optional)"
        error={create.fields.email}
        hint="If set, only this address can use the link."
      >
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          placeholder="grace@example.com"
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}
