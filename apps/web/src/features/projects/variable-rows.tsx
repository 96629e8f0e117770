import type { Variable } from '@nephos/contracts';
import { Eye, EyeOff, FileInput, Plus, Trash2 } from 'lucide-react';
import { type ChangeEvent, type ClipboardEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { readEnvFile } from './env-drop-zone.tsx';
import { looksLikeEnv } from './parse-env.ts';
import { ReferenceMenu } from './reference-menu.tsx';
import type { DraftFaults, VariableDraft, VariableDrafts } from './variable-drafts.ts';
import { SCOPE_OPTIONS } from './variable-words.ts';

export interface VariableRowsProps {
  rows: VariableDrafts;
  /** Variables that are there already, which one of the same name replaces. Absent: there are none, nor scopes. */
  present?: readonly Variable[];
}

/** Variables to set, a row each: typed, or filled from an `.env` text that is pasted or chosen. */
export function VariableRows({ rows, present }: VariableRowsProps) {
  /** Where a reference goes. */
  const [current, setCurrent] = useState('');
  const { drafts, faults, change, remove, fill } = rows;
  const target = drafts.find(({ key }) => key === current) ?? drafts.at(-1);
  return (
    <div className="flex flex-col gap-4">
      <ul aria-label="Variables to set" className="flex flex-col gap-4 sm:gap-2">
        {drafts.map((draft, index) => (
          <li key={draft.key} onFocus={() => setCurrent(draft.key)}>
            <VariableRow
              draft={draft}
              faults={faults.get(draft.key) ?? {}}
              isFirst={index === 0}
              present={present}
              onChange={(part) => change(draft.key, part)}
              onFill={fill}
              onRemove={() => remove(draft.key)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={rows.add}>
          <Plus aria-hidden="true" />
          Add another
        </Button>
        <ReferenceMenu
          onInsert={(reference) => target && change(target.key, { value: target.value + reference })}
        />
        <ImportButton onText={fill} />
      </div>
    </div>
  );
}

interface VariableRowProps {
  draft: VariableDraft;
  faults: DraftFaults;
  /** Its labels are those of the columns, where the rows have some. */
  isFirst: boolean;
  present: VariableRowsProps['present'];
  onChange: (part: Partial<Pick<VariableDraft, 'name' | 'value' | 'scope'>>) => void;
  onFill: (env: string) => void;
  onRemove: () => void;
}

function VariableRow({ draft, faults, isFirst, present, onChange, onFill, onRemove }: VariableRowProps) {
  const { name, value, scope, warning } = draft;
  const [shown, setShown] = useState(false);
  const replaced = present?.find((variable) => variable.name === name);
  const labelClassName = isFirst ? '' : 'sm:sr-only';

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!looksLikeEnv(text)) return;
    event.preventDefault();
    onFill(text);
  }

  return (
    <div className={classNames(ROW, present && 'lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_11rem_auto]')}>
      <Field
        label="Name"
        labelClassName={labelClassName}
        error={faults.name}
        hint={replaced && 'Replaces the saved value.'}
        className="max-sm:col-span-2"
      >
        <PlainInput
          value={name}
          onChange={(event) => onChange({ name: event.target.value })}
          onPaste={paste}
          placeholder="API_KEY"
        />
      </Field>
      <Field label="Value" labelClassName={labelClassName} error={faults.value} hint={warning}>
        <Textarea
          value={value}
          onChange={(event) => onChange({ value: event.target.value })}
          {...(name === '' && { onPaste: paste })}
          rows={1}
          className={classNames('min-h-9 font-mono', !shown && isSecret(value) && MASKED)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      {present && (
        <Field
          label="Available to"
          labelClassName={labelClassName}
          className="max-sm:col-span-2 max-sm:row-start-3 sm:max-lg:col-start-1 sm:max-lg:row-start-2"
        >
          <Select
            value={scope ?? replaced?.scope ?? 'all'}
            options={SCOPE_OPTIONS}
            onValueChange={(chosen) => onChange({ scope: chosen })}
          />
        </Field>
      )}
      <div className={classNames(BUTTONS, !isFirst && 'sm:mt-0')}>
        <ShowButton name={name} shown={shown} onChange={setShown} />
        <IconButton label={`Remove ${name || 'variable'}`} title="Remove" onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </div>
    </div>
  );
}

function ShowButton({
  name,
  shown,
  onChange,
}: {
  name: string;
  shown: boolean;
  onChange: (shown: boolean) => void;
}) {
  const verb = shown ? 'Hide' : 'Show';
  return (
    <IconButton
      label={name ? `${verb} value of ${name}` : `${verb} value`}
      title={`${verb} value`}
      onClick={() => onChange(!shown)}
    >
      {shown ? <EyeOff /> : <Eye />}
    </IconButton>
  );
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]';

/** Beside the controls, which have labels above them. */
const BUTTONS =
  'mt-6.5 flex max-sm:col-start-2 max-sm:row-start-2 sm:max-lg:col-start-3 sm:max-lg:row-start-1';

/** A value may have several lines, which a field for passwords cannot hold. */
const MASKED = '[-webkit-text-security:disc]';

/** What only refers to something tells nothing by itself. */
function isSecret(value: string): boolean {
  return !/^\$\{\{[^}]*\}\}$/.test(value);
}

/** Chooses an `.env` file: what can be dropped can be chosen as well, by the keyboard. */
function ImportButton({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (file) await readEnvFile(file, onText);
    target.value = '';
  }

  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <FileInput aria-hidden="true" />
        Import .env
      </Button>
      <input
        ref={input}
        type="file"
        aria-label="File to import"
        hidden
        onChange={(event) => void choose(event)}
      />
    </>
  );
}
