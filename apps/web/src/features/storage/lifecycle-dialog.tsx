import type { LifecycleRule } from '@nephos/contracts';
import { MAX_RULE_DAYS } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { lifecycleWords } from './rule-words.ts';

export interface RuleDialogProps<Rule> {
  /** The bucket. */
  id: string;
  rules: readonly Rule[];
  revision: string;
  /** The place of the rule; behind the last one: it is new. */
  at: number;
  onClose: () => void;
}

const NEW: LifecycleRule = { isEnabled: true, prefix: '', tags: {} };

/** The form of a rule by age. What only S3 clients set of it stays as it is. */
export function LifecycleDialog({ id, rules, revision, at, onClose }: RuleDialogProps<LifecycleRule>) {
  const { buckets } = trpc.useUtils();
  const former = rules[at] ?? NEW;
  const isNew = at === rules.length;
  const draft = useDraft(draftOf(former));
  const { values, set } = draft;
  const save = useAction(trpc.buckets.setLifecycle.useMutation(), {
    success: isNew ? 'Rule added' : 'Rule saved',
    failure: 'Failed to save the rule',
    serverSpeaks: true,
    refresh: [buckets.rules],
    leave: onClose,
  });
  const error = (field: string) => save.fields[`rules.${at}.${field}`];
  const number = (field: 'days' | 'formerDays' | 'kept' | 'abortDays', max = MAX_RULE_DAYS) => (
    <Input
      type="number"
      inputMode="numeric"
      {...{ min: 1, max, value: values[field] }}
      disabled={field === 'kept' && values.formerDays === ''}
      onChange={(event) => set(field, event.target.value)}
    />
  );
  const isReady = [values.days, values.formerDays, values.abortDays].some((text) => text.trim() !== '');
  return (
    <FormDialog
      wide
      title={isNew ? 'Add lifecycle rule' : 'Edit lifecycle rule'}
      description="What is old enough is deleted within the hour. Days are counted from the midnight (UTC) that follows."
      label={isNew ? 'Add rule' : 'Save rule'}
      ready={(isReady || keepsOther(former)) && draft.changed}
      action={save}
      onSubmit={() => save.run({ id, rules: rules.toSpliced(at, 1, ruleOf(former, values)), revision })}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={error('id')} hint="Optional.">
          <PlainInput value={values.name} onChange={(event) => set('name', event.target.value)} />
        </Field>
        <Field label="Path begins with" error={error('prefix')} hint="Like logs/. Empty: all of the bucket.">
          <PlainInput value={values.prefix} onChange={(event) => set('prefix', event.target.value)} />
        </Field>
        <Field
          label="Delete files after days"
          error={error('expiry.days') ?? error('expiry')}
          hint="Empty: never. Where versions are kept, they stay as former versions."
        >
          {number('days')}
        </Field>
        <Field label="Give up unfinished uploads after days" error={error('abortDays')} hint="Empty: never.">
          {number('abortDays')}
        </Field>
        <Field label="Delete former versions after days" error={error('former.days')} hint="Empty: never.">
          {number('formerDays')}
        </Field>
        <Field
          label="But keep the newest"
          error={error('former.kept')}
          hint="How many former versions of each file stay at any age, up to 100."
        >
          {number('kept', 100)}
        </Field>
      </div>
      <Field label="On" hint="A rule that is off stays here and does nothing.">
        <Switch checked={values.isEnabled} onCheckedChange={(on) => set('isEnabled', on)} />
      </Field>
      {keepsOther(former) && (
        <Notice title="An S3 client set more of this rule, which stays">{lifecycleWords(former)}</Notice>
      )}
      {save.fields[`rules.${at}`] && <Notice tone="danger" title={save.fields[`rules.${at}`]} />}
    </FormDialog>
  );
}

interface LifecycleDraft {
  name: string;
  prefix: string;
  isEnabled: boolean;
  days: string;
  formerDays: string;
  kept: string;
  abortDays: string;
}

function draftOf({ id = '', prefix, isEnabled, expiry, former, abortDays }: LifecycleRule): LifecycleDraft {
  return {
    ...{ name: id, prefix, isEnabled },
    days: textOfNumber(expiry && 'days' in expiry ? expiry.days : null),
    formerDays: textOfNumber(former?.days ?? null),
    kept: textOfNumber(former?.kept ?? null),
    abortDays: textOfNumber(abortDays ?? null),
  };
}

/** Whether a rule has what this form has no field for. */
function keepsOther({ tags, above, below, expiry }: LifecycleRule): boolean {
  const isOfSome = Object.keys(tags).length > 0 || above !== undefined || below !== undefined;
  return isOfSome || (expiry !== undefined && !('days' in expiry));
}

function ruleOf(before: LifecycleRule, draft: LifecycleDraft): LifecycleRule {
  const days = typedNumber(draft.days);
  const formerDays = typedNumber(draft.formerDays);
  const other = before.expiry && !('days' in before.expiry) ? before.expiry : undefined;
  return {
    ...before,
    ...{ id: draft.name.trim() || undefined, prefix: draft.prefix, isEnabled: draft.isEnabled },
    expiry: days === null ? other : { days },
    former:
      formerDays === null ? undefined : { days: formerDays, kept: typedNumber(draft.kept) ?? undefined },
    abortDays: typedNumber(draft.abortDays) ?? undefined,
  };
}
