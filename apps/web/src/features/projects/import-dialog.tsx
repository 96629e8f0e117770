import { MAX_VARIABLES } from '@nephos/contracts/constants';
import { useDeferredValue, useMemo, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { type EnvRemark, type ParsedEnv, parseEnv } from './parse-env.ts';
import { useSetVariables, type VariableHolder } from './use-variable-actions.ts';
import { countOfVariables } from './variable-words.ts';

export interface ImportDialogProps {
  holder: VariableHolder;
  /** What was pasted elsewhere; '' to begin with nothing. */
  text: string;
  /** The names that are there already. */
  names: ReadonlySet<string>;
  onClose: () => void;
}

/** Saves the variables of an `.env` file together, after showing which are new and which are overwritten. */
export function ImportDialog({ holder, text, names, onClose }: ImportDialogProps) {
  const [typed, setTyped] = useState(text);
  const shown = useDeferredValue(typed);
  const parsed = useMemo(() => parseEnv(shown), [shown]);
  const { variables, errors } = parsed;
  const total = new Set([...names, ...variables.map(({ name }) => name)]).size;
  const save = useSetVariables(holder, {
    success: `${countOfVariables(variables.length)} saved`,
    leave: onClose,
  });
  return (
    <FormDialog
      title="Import .env"
      description="Paste the contents of an .env file. Existing names are overwritten, others are kept."
      wide
      label={variables.length > 0 ? `Import ${countOfVariables(variables.length)}` : 'Import'}
      ready={variables.length > 0 && errors.length === 0 && total <= MAX_VARIABLES && shown === typed}
      action={save}
      onSubmit={() => save.run({ id: holder.id, variables })}
      onClose={onClose}
      entered={text !== ''}
    >
      <Field label="Contents">
        <Textarea
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          rows={8}
          placeholder={'# Comments are ignored\nAPI_KEY=abc123\nGREETING="Hello, world"'}
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Preview parsed={parsed} names={names} />
      {total > MAX_VARIABLES && (
        <Notice
          tone="danger"
          title={`A ${holder.kind} can have up to ${MAX_VARIABLES} variables. This would make ${total}.`}
        />
      )}
    </FormDialog>
  );
}

interface PreviewProps {
  parsed: ParsedEnv;
  names: ReadonlySet<string>;
}

/** What would be saved, by name, and what cannot be. */
function Preview({ parsed: { variables, errors, warnings }, names }: PreviewProps) {
  return (
    <>
      <Remarks tone="danger" title="Fix these lines to continue" remarks={errors} />
      <Remarks tone="warning" title="Check these lines" remarks={warnings} />
      {variables.length > 0 && (
        <ul
          aria-label="Variables to import"
          className="max-h-56 divide-y divide-line overflow-y-auto rounded-lg border border-line"
        >
          {variables.map(({ name }) => (
            <li key={name} className="flex items-center justify-between gap-3 px-3 py-1.5">
              <code className="min-w-0 break-all text-sm">{name}</code>
              {names.has(name) ? <Badge tone="warning">Overwrites</Badge> : <Badge>New</Badge>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface RemarksProps {
  tone: 'danger' | 'warning';
  title: string;
  remarks: readonly EnvRemark[];
}

/** What has to be said of single lines. */
export function Remarks({ tone, title, remarks }: RemarksProps) {
  if (remarks.length === 0) return null;
  return (
    <Notice tone={tone} title={title}>
      <ul className="max-h-40 overflow-y-auto">
        {remarks.map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            Line {line}: {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
