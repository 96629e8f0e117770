import type { Variable, VariableScope } from '@nephos/contracts';
import { FileInput } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { looksLikeEnv, parseEnv } from './parse-env.ts';
import { ReferenceMenu } from './reference-menu.tsx';
import { useSetVariable, type VariableHolder } from './use-variable-actions.ts';
import { APPLIED_BY, SCOPE_OPTIONS } from './variable-words.ts';

interface VariableDraft {
  name: string;
  value: string;
  /** Null until one is chosen: that of the variable that has the name already. */
  scope: VariableScope | null;
}

const DEFAULTS: VariableDraft = { name: '', value: '', scope: null };

export interface VariableFormProps {
  holder: VariableHolder;
  /** Those that are there already. */
  variables: readonly Variable[];
  /** Opens the import with a text; of '', an empty one. */
  onImport: (text: string) => void;
}

/** Adds a variable or replaces its value; what was saved cannot be read back. */
export function VariableForm({ holder, variables, onImport }: VariableFormProps) {
  const { draft, scope, save, saved, submit } = useVariable(holder, variables);

  /** Of a single assignment, both fields; of more, or of what may be misread, the import. */
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!looksLikeEnv(text)) return;
    event.preventDefault();
    const { variables: pasted, errors, warnings } = parseEnv(text);
    const [only] = pasted;
    const isClear = pasted.length === 1 && errors.length === 0 && warnings.length === 0;
    if (!only || !isClear) return onImport(text);
    draft.set('name', only.name);
    draft.set('value', only.value);
  }

  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
      <VariableFields draft={draft} scope={scope} errors={save.fields} onPaste={paste} />
      {save.refusal && <Notice tone="danger" title={save.refusal} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" disabled={!draft.values.name} pending={save.pending}>
          Save
        </Button>
        <ReferenceMenu onInsert={(reference) => draft.set('value', draft.values.value + reference)} />
        <Button onClick={() => onImport('')}>
          <FileInput aria-hidden="true" />
          Import .env
        </Button>
        <p role="status" className="text-muted text-sm">
          {saved && (
            <>
              <code>{saved.name}</code> saved. {APPLIED_BY[saved.scope]}
            </>
          )}
        </p>
      </div>
    </form>
  );
}

interface VariableFieldsProps {
  draft: Pick<Draft<VariableDraft>, 'values' | 'set'>;
  scope: VariableScope;
  errors: FieldErrors;
  /** Into the name. */
  onPaste: (event: ClipboardEvent) => void;
}

function VariableFields({ draft: { values, set }, scope, errors, onPaste }: VariableFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_11rem]">
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
      <Field
        label="Value"
        error={errors.value}
        hint={`Can have several lines, and refer to \${{databases.<name>.url}}.`}
      >
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
      <Field label="Available to" error={errors.scope}>
        <Select value={scope} options={SCOPE_OPTIONS} onValueChange={(chosen) => set('scope', chosen)} />
      </Field>
    </div>
  );
}

function useVariable(holder: VariableHolder, variables: readonly Variable[]) {
  const draft = useDraft(DEFAULTS);
  const present = variables.find(({ name }) => name === draft.values.name);
  const scope = draft.values.scope ?? present?.scope ?? 'all';
  const [saved, setSaved] = useState<Pick<Variable, 'name' | 'scope'> | null>(null);
  const save = useSetVariable(holder, (variable) => {
    setSaved(variable);
    draft.reset();
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const { name, value } = draft.values;
    if (!name || save.pending) return;
    setSaved(null);
    save.run({ id: holder.id, name, value, scope });
  }

  return {
    draft,
    /** What it will be available to. */
    scope,
    save,
    /** What was saved last; null until something was. */
    saved,
    submit,
  };
}
