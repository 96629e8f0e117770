import type { AccessToken, CreatedAccessToken } from '@nephos/contracts';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { DialogClose, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { expiryOf, TOKEN_LIVES, type TokenLife } from './token-expiry.ts';
import { SCOPE_LABELS } from './token-scopes.ts';

interface TokenDraft {
  name: string;
  scope: AccessToken['scope'];
  life: TokenLife;
}

const DEFAULTS: TokenDraft = { name: '', scope: 'read', life: '90' };

const SCOPES = [
  { value: 'read', label: SCOPE_LABELS.read },
  { value: 'write', label: SCOPE_LABELS.write },
] as const;

const SCOPE_HINTS: Record<AccessToken['scope'], string> = {
  read: 'Reads everything of yours but passwords, and pulls images.',
  write: 'Reads and changes everything of yours, and pushes images.',
};

export function NewTokenForm({ onCreated }: { onCreated: (created: CreatedAccessToken) => void }) {
  const utils = trpc.useUtils();
  const { values, set } = useDraft(DEFAULTS);
  const create = useAction(trpc.auth.createToken.useMutation(), {
    failure: 'Failed to create the access token',
    refresh: [utils.auth.tokens],
    onDone: onCreated,
  });
  const { name, scope, life } = values;
  const named = name.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (named && !create.pending) create.run({ name, scope, expiresAt: expiryOf(life) });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field
        label="Name"
        required
        error={create.fields.name}
        hint="Where it is used, so that you know it later."
      >
        <Input
          value={name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="laptop"
          autoComplete="off"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Scope" error={create.fields.scope} hint={SCOPE_HINTS[scope]}>
          <Select value={scope} onValueChange={(chosen) => set('scope', chosen)} options={SCOPES} />
        </Field>
        <Field label="Expires after" error={create.fields.expiresAt}>
          <Select value={life} onValueChange={(chosen) => set('life', chosen)} options={TOKEN_LIVES} />
        </Field>
      </div>
      {create.refusal && <Notice tone="danger" title={create.refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={!named} pending={create.pending}>
          Create token
        </Button>
      </DialogFooter>
    </form>
  );
}
