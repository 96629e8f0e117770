import { FileInput } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { looksLikeEnv, parseEnv } from './parse-env.ts';

const DEFAULTS = { name: '', value: '' };

export interface VariableFormProps {
  projectId: string;
  /** Opens the import with a text; of '', an empty one. */
  onImport: (text: string) => void;
}

/** Adds a variable or replaces its value; what was saved cannot be read back. */
export function VariableForm({ projectId, onImport }: VariableFormProps) {
  const { draft, save, saved, submit } = useVariable(projectId);

  /** Of a single assignment, both fields; of more, or of what may be misread, the import. */
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!looksLikeEnv(text)) return;
    event.preventDefault();
    const { variables, errors, warnings } = parseEnv(text);
    const [only] = variables;
    const isClear = variables.length === 1 && errors.length === 0 && warnings.length === 0;
    if (!only || !isClear) return onImport(text);
    draft.set('name', only.name);
    draft.set('value', only.value);
  }

  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
      <VariableFields draft={draft} errors={save.fields} onPaste={paste} />
      {save.refusal && <Notice tone="danger" title={save.refusal} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" disabled={!draft.values.name} pending={save.pending}>
          Save
        </Button>
        <Button onClick={() => onImport('')}>
          <FileInput aria-hidden="true" />
          Import .env
        </Button>
        <p role="status" className="text-muted text-sm">
          {saved && (
            <>
              <code>{saved}</code> saved. Values are never shown again.
            </>
          )}
        </p>
      </div>
    </form>
  );
}

interface VariableFieldsProps {
  draft: Pick<Draft<typeof DEFAULTS>, 'values' | 'set'>;
  errors: FieldErrors;
  /** Into the name. */
  onPaste: (event: ClipboardEvent) => void;
}

function VariableFields({ draft: { values, set }, errors, onPaste }: VariableFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Field label="Name" required error={errors.name} hint="You can paste KEY=value lines here.">
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          onPaste={onPaste}
          placeholder="DATABASE_URL"
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Value" error={errors.value} hint="Multiline values supported.">
        <Textarea
          value={values.value}
          onChange={(event) => set('value', event.target.value)}
          rows={1}
          className="min-h-9 font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
    </div>
  );
}

function useVariable(projectId: string) {
  const utils = trpc.useUtils();
  const draft = useDraft(DEFAULTS);
  const [saved, setSaved] = useState('');
  const save = useAction(trpc.projects.setVariable.useMutation(), {
    success: 'Saved. Values are never shown again.',
    failure: 'Failed to save the variable',
    serverSpeaks: true,
    refresh: [utils.projects.variables],
    onDone: ({ name }) => {
      setSaved(name);
      draft.reset();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!draft.values.name || save.pending) return;
    setSaved('');
    save.run({ id: projectId, ...draft.values });
  }

  return {
    draft,
    save,
    /** The name of what was saved last; '' until something was. */
    saved,
    submit,
  };
}
