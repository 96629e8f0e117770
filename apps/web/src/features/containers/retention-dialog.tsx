import type { RetentionPreview, RetentionRule } from '@nephos/contracts';
import { TAG_PATTERN_MAX } from '@nephos/contracts/constants';
import { useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';

/** What the form begins with where there is no rule. */
const FIRST: RetentionRule = {
  ...{ matching: '*', keepMatching: '', keepLast: 10, olderThanDays: 30, untagged: false },
};

export interface RetentionDialogProps {
  repositoryId: string;
  name: string;
  rule: RetentionRule | null;
  onClose: () => void;
}

/** The form of a repository's rule, which shows what the rule would do before it is set. */
export function RetentionDialog({ repositoryId: id, name, rule, onClose }: RetentionDialogProps) {
  const utils = trpc.useUtils();
  const [preview, setPreview] = useState<RetentionPreview>();
  const { keepLast, olderThanDays, ...rest } = rule ?? FIRST;
  const draft = useDraft({ ...rest, keepLast: String(keepLast), olderThanDays: String(olderThanDays) });
  const save = useAction(trpc.containers.setRetention.useMutation(), {
    success: 'Retention rule set. It first runs tonight.',
    failure: 'Failed to set the rule',
    serverSpeaks: true,
    refresh: [utils.containers.retention],
    leave: onClose,
  });
  const look = useAction(trpc.containers.previewRetention.useMutation(), {
    failure: 'Failed to preview the rule',
    serverSpeaks: true,
    onDone: setPreview,
  });
  const asked = () => ({
    ...{ id, ...draft.values },
    keepLast: typedNumber(draft.values.keepLast) ?? -1,
    olderThanDays: typedNumber(draft.values.olderThanDays) ?? 0,
  });
  return (
    <FormDialog
      wide
      title={`Retention of ${name}`}
      description="Runs every night. What a project runs, is deployed from or can roll back to always stays."
      label="Set rule"
      ready={draft.values.matching.trim() !== ''}
      action={save}
      onSubmit={() => save.run(asked())}
      onClose={onClose}
    >
      <RuleFields
        draft={draft}
        errors={{ ...look.fields, ...save.fields }}
        onChange={() => setPreview(undefined)}
      />
      <Button size="sm" className="self-start" {...look.button} onClick={() => look.run(asked())}>
        Preview
      </Button>
      {preview && <Preview preview={preview} />}
    </FormDialog>
  );
}

type RuleDraft = Omit<RetentionRule, 'keepLast' | 'olderThanDays'> & {
  keepLast: string;
  olderThanDays: string;
};

interface RuleFieldsProps {
  draft: Draft<RuleDraft>;
  errors: Record<string, string>;
  onChange: () => void;
}

function RuleFields({ draft, errors, onChange }: RuleFieldsProps) {
  function set<K extends keyof RuleDraft>(field: K, value: RuleDraft[K]): void {
    draft.set(field, value);
    onChange();
  }
  const pattern = (field: 'matching' | 'keepMatching') => (
    <Input
      value={draft.values[field]}
      onChange={(event) => set(field, event.target.value)}
      maxLength={TAG_PATTERN_MAX}
      className="font-mono"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
  const number = (field: 'keepLast' | 'olderThanDays', min: number) => (
    <Input
      type="number"
      inputMode="numeric"
      min={min}
      value={draft.values[field]}
      onChange={(event) => set(field, event.target.value)}
    />
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Tags to delete"
          error={errors.matching}
          hint="A * stands for any characters, as in ci-*."
        >
          {pattern('matching')}
        </Field>
        <Field label="Tags to keep" error={errors.keepMatching} hint="For example v*. Empty for none.">
          {pattern('keepMatching')}
        </Field>
        <Field label="Newest tags that stay" error={errors.keepLast}>
          {number('keepLast', 1)}
        </Field>
        <Field
          label="Days after a push"
          error={errors.olderThanDays}
          hint="Younger tags stay. 0 for any age."
        >
          {number('olderThanDays', 0)}
        </Field>
      </div>
      <Field label="Delete untagged images too" hint="Except recent pushes and what a project needs.">
        <Switch checked={draft.values.untagged} onCheckedChange={(untagged) => set('untagged', untagged)} />
      </Field>
    </>
  );
}

/** What would go now, and why the rest stays. */
function Preview({ preview: { tags, deletion } }: { preview: RetentionPreview }) {
  const going = tags.filter(({ keptBecause }) => keptBecause === '').length;
  return (
    <div role="status">
      <p className="font-medium text-sm">
        {going} of {tags.length} {tags.length === 1 ? 'tag' : 'tags'} would be deleted now, freeing{' '}
        {formatSize(deletion.size)}.
      </p>
      <ul aria-label="Tags" className="mt-2 flex max-h-64 flex-col gap-1 overflow-y-auto text-sm">
        {tags.map(({ id, tag, keptBecause }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2">
            <span className="wrap-anywhere font-medium">{tag}</span>
            {keptBecause ? (
              <span className="text-muted">{keptBecause}</span>
            ) : (
              <Badge tone="warning">Would be deleted</Badge>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
