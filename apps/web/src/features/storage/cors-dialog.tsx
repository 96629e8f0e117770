import type { CorsRule } from '@nephos/contracts';
import { CORS_METHODS } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { RuleDialogProps } from './lifecycle-dialog.tsx';

const NEW: CorsRule = { origins: [], methods: ['GET', 'HEAD'], headers: [], exposed: [] };

type Texts = 'origins' | 'headers' | 'exposed';

/** The form of a rule for pages of other sites. */
export function CorsDialog({ id, rules, revision, at, onClose }: RuleDialogProps<CorsRule>) {
  const { buckets } = trpc.useUtils();
  const former = rules[at] ?? NEW;
  const isNew = at === rules.length;
  const draft = useDraft({
    ...{ origins: former.origins.join('\n'), headers: former.headers.join('\n') },
    ...{ exposed: former.exposed.join('\n'), maxAge: textOfNumber(former.maxAge ?? null) },
    methods: former.methods.join(' '),
  });
  const { values, set } = draft;
  const save = useAction(trpc.buckets.setCors.useMutation(), {
    success: isNew ? 'Rule added' : 'Rule saved',
    failure: 'Failed to save the rule',
    serverSpeaks: true,
    refresh: [buckets.rules],
    leave: onClose,
  });
  const methods = CORS_METHODS.filter((method) => values.methods.split(' ').includes(method));
  const rule: CorsRule = {
    ...{ ...former, methods, origins: linesOf(values.origins) },
    ...{ headers: linesOf(values.headers), exposed: linesOf(values.exposed) },
    maxAge: typedNumber(values.maxAge) ?? undefined,
  };
  const lines = (field: Texts, label: string, hint: string, example: string) => (
    <Field label={label} required={field === 'origins'} error={errorOf(save.fields, at, field)} hint={hint}>
      <Textarea
        rows={2}
        value={values[field]}
        onChange={(event) => set(field, event.target.value)}
        placeholder={example}
        className="font-mono"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Field>
  );
  return (
    <FormDialog
      wide
      title={isNew ? 'Add CORS rule' : 'Edit CORS rule'}
      description="Browsers ask before a page of another site may call the bucket, and the first rule that fits answers. Who may read or write, keys and visibility still decide."
      label={isNew ? 'Add rule' : 'Save rule'}
      ready={rule.origins.length > 0 && methods.length > 0 && draft.changed}
      action={save}
      onSubmit={() => save.run({ id, rules: rules.toSpliced(at, 1, rule), revision })}
      onClose={onClose}
    >
      {lines(
        'origins',
        'Origins',
        'One a line. A * stands for anything, and alone for any site.',
        'https://*.example.com',
      )}
      <fieldset>
        <legend className="font-medium text-fg text-sm">Methods</legend>
        <div className="mt-1 flex flex-wrap gap-x-5">
          {CORS_METHODS.map((method) => (
            <label key={method} className="flex min-h-8 items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={methods.includes(method)}
                onChange={({ target: { checked } }) =>
                  set(
                    'methods',
                    CORS_METHODS.filter((one) => (one === method ? checked : methods.includes(one))).join(
                      ' ',
                    ),
                  )
                }
              />
              {method}
            </label>
          ))}
        </div>
      </fieldset>
      {lines(
        'headers',
        'Headers that a page may send',
        'One a line. A * stands for anything.',
        'content-type',
      )}
      {lines('exposed', 'Headers that a page may read', 'One a line.', 'etag')}
      <Field
        label="Seconds that a browser remembers this"
        error={errorOf(save.fields, at, 'maxAge')}
        hint="Empty: as long as the browser likes."
      >
        <Input
          type="number"
          inputMode="numeric"
          min={0}
          value={values.maxAge}
          onChange={(event) => set('maxAge', event.target.value)}
        />
      </Field>
      {save.fields[`rules.${at}`] && <Notice tone="danger" title={save.fields[`rules.${at}`]} />}
    </FormDialog>
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What is wrong with a field, or with one of its lines. */
function errorOf(fields: Readonly<Record<string, string>>, at: number, field: string): string | undefined {
  const path = `rules.${at}.${field}`;
  return Object.entries(fields).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1];
}
