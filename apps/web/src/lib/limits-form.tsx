import type { WorkspaceLimits } from '@nephos/contracts';
import { GB, LIMITED, type Limited, MAX_LIMITS, NO_PLAN } from '@nephos/contracts/constants';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatSize } from './format.ts';
import { LIMIT_NAMES } from './limit-names.ts';
import { LoadFailure } from './load-failure.tsx';
import { trpc } from './trpc.ts';
import { useAction } from './use-action.ts';

interface LimitsFormProps {
  /** The workspace whose they are. */
  ownerId: string;
  title: string;
  /** Whether it is a person's own: who owns shared ones is a person. */
  personal: boolean;
}

/** Limits of one workspace that an admin sets in the place of the plan's. */
export function LimitsForm({ ownerId, title, personal }: LimitsFormProps) {
  const id = useId();
  const limits = trpc.admin.limits.useQuery({ ownerId }, { refetchOnMount: 'always' });
  return (
    <section aria-labelledby={id} className="py-4">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      <p className="mt-0.5 mb-3 text-muted text-sm">
        Leave a field empty for{' '}
        {limits.data && limits.data.plan !== NO_PLAN ? "the plan's limit" : 'no limit'}. What exists stays,
        also above a limit.
      </p>
      {limits.error && <LoadFailure query={limits} failure="Failed to load the limits" />}
      {limits.data && (
        <Form key={JSON.stringify(typedOf(limits.data.limits))} {...{ ownerId, personal }} {...limits.data} />
      )}
    </section>
  );
}

type Typed = Record<Limited, string>;

const unitOf = (name: Limited) => (name === 'storage' ? GB : 1);

function typedOf(limits: WorkspaceLimits['limits']): Typed {
  const texts = LIMITED.map((name) => {
    const { set } = limits[name];
    return [name, set === null ? '' : String(Number((set / unitOf(name)).toFixed(2)))];
  });
  // Of all names.
  return Object.fromEntries(texts) as Typed;
}

/** The number that was typed, null for none, undefined for what is no number. */
function parse(name: Limited, text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const number = Number(text.trim());
  const amount = Math.round(number * unitOf(name));
  const isWhole = name === 'storage' || Number.isInteger(number);
  return isWhole && amount >= 0 && amount <= MAX_LIMITS[name] ? amount : undefined;
}

function Form({ ownerId, personal, limits }: WorkspaceLimits & Omit<LimitsFormProps, 'title'>) {
  const utils = trpc.useUtils();
  const saved = typedOf(limits);
  const [typed, setTyped] = useState(saved);
  const [tried, setTried] = useState(false);
  const save = useAction(trpc.admin.setLimits.useMutation(), {
    success: 'Limits saved',
    failure: 'Failed to save the limits',
    refresh: [utils.admin.limits],
  });
  const changed = LIMITED.filter((name) => typed[name].trim() !== saved[name]);
  const wrong = (name: Limited) => parse(name, typed[name]) === undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (changed.length === 0 || changed.some(wrong) || save.pending) return;
    save.run({ ownerId, ...Object.fromEntries(changed.map((name) => [name, parse(name, typed[name])])) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {LIMITED.filter((name) => personal || name !== 'workspaces').map((name) => (
          <Field
            key={name}
            label={<span className="inline-block first-letter:uppercase">{labelOf(name)}</span>}
            hint={hintOf(name, limits[name])}
            error={tried && wrong(name) ? 'Enter a number.' : save.fields[name]}
          >
            <Input
              inputMode="numeric"
              value={typed[name]}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              autoComplete="off"
            />
          </Field>
        ))}
      </div>
      {save.refusal && <Notice tone="danger" title={save.refusal} className="mt-3" />}
      <Button type="submit" disabled={changed.length === 0} pending={save.pending} className="mt-3">
        Save limits
      </Button>
    </form>
  );
}

function labelOf(name: Limited): string {
  return name === 'storage' ? 'storage in GB' : LIMIT_NAMES[name];
}

function hintOf(name: Limited, { used, standard }: WorkspaceLimits['limits'][Limited]): string {
  const say = (amount: number) => (name === 'storage' ? formatSize(amount) : String(amount));
  return `${say(used)} used. Default: ${standard === null ? 'no limit' : say(standard)}.`;
}
