import type { AccessToken, CreatedAccessToken, NewAccessToken } from '@nephos/contracts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { DAY } from './durations.ts';
import type { FieldErrors } from './errors.ts';
import { ThingField, type ThingKind } from './token-thing-field.tsx';
import { SCOPE_LABELS } from './token-words.ts';
import type { Draft } from './use-draft.ts';

const SCOPES = [
  { value: 'read', label: SCOPE_LABELS.read },
  { value: 'write', label: SCOPE_LABELS.write },
] as const;

const SCOPE_HINTS: Record<AccessToken['scope'], string> = {
  read: 'View everything except passwords, and pull images.',
  write: 'View and change everything, and push images.',
};

/** Days that a token may live. */
const DAYS = ['7', '30', '90', '365'] as const;

const TOKEN_LIVES = [
  ...DAYS.map((value) => ({ value, label: `${value} days` })),
  { value: 'never' as const, label: 'No expiration' },
];

const KINDS = [
  { value: 'all', label: 'The whole workspace' },
  { value: 'project', label: 'One project' },
  { value: 'database', label: 'One database' },
  { value: 'zone', label: 'One DNS zone' },
  { value: 'repository', label: 'One image repository' },
] as const satisfies readonly { value: TokenDraft['kind']; label: string }[];

type TokenLife = (typeof DAYS)[number] | 'never';

export interface TokenDraft {
  name: string;
  scope: AccessToken['scope'];
  life: TokenLife;
  kind: ThingKind | 'all';
  /** Id of the one thing that it opens; '' while none is chosen. */
  thing: string;
}

export const TOKEN_DEFAULTS: TokenDraft = { name: '', scope: 'read', life: '90', kind: 'all', thing: '' };

/** Whether a draft can be sent. */
export function isTokenReady({ name, kind, thing }: TokenDraft): boolean {
  return name.trim() !== '' && (kind === 'all' || thing !== '');
}

/** What a draft is sent as. */
export function newToken({ name, scope, life, kind, thing }: TokenDraft): NewAccessToken {
  const resource = kind === 'all' ? null : { kind, id: thing };
  return { name, scope, expiresAt: expiryOf(life), resource };
}

/** The instant at which a token made now ends; null for one that does not. */
export function expiryOf(life: TokenLife, now = Date.now()): string | null {
  return life === 'never' ? null : new Date(now + Number(life) * DAY).toISOString();
}

export interface TokenFieldsProps {
  draft: Draft<TokenDraft>;
  errors: FieldErrors;
}

/** What every access token is asked for. */
export function TokenFields({ draft: { values, set }, errors }: TokenFieldsProps) {
  const { name, scope, life, kind, thing } = values;

  function choose(kind: TokenDraft['kind']) {
    set('kind', kind);
    set('thing', '');
  }

  return (
    <>
      <Field label="Name" required error={errors.name} hint="What it's for, so you recognize it later.">
        <Input
          value={name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="laptop"
          autoComplete="off"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Scope" error={errors.scope} hint={SCOPE_HINTS[scope]}>
          <Select value={scope} onValueChange={(chosen) => set('scope', chosen)} options={SCOPES} />
        </Field>
        <Field label="Expiration" error={errors.expiresAt}>
          <Select value={life} onValueChange={(chosen) => set('life', chosen)} options={TOKEN_LIVES} />
        </Field>
        <Field label="Access to" error={errors.resource} hint="A token for one thing opens nothing else.">
          <Select value={kind} onValueChange={choose} options={KINDS} />
        </Field>
        {kind !== 'all' && <ThingField kind={kind} id={thing} onChoose={(chosen) => set('thing', chosen)} />}
      </div>
    </>
  );
}

export interface CreatedTokenProps {
  created: CreatedAccessToken;
  onDone: () => void;
}

/** The one time that a token is shown. */
export function CreatedToken({ created: { name, token }, onDone }: CreatedTokenProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title={`Copy “${name}” now`}>
        You won't see this token again. Store it like a password.
      </Notice>
      <CodeBlock code={token} label="access token" />
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}
