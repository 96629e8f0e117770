import type { Variable } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { type ClipboardEvent, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { ShowButton } from '../../ui/show-button.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { looksLikeEnv } from './parse-env.ts';
import type { DraftFaults, VariableDraft } from './variable-drafts.ts';
import { SCOPE_OPTIONS } from './variable-words.ts';

export interface VariableRowProps {
  draft: VariableDraft;
  faults: DraftFaults;
  /** Its labels are those of the columns, where the rows have some. */
  isFirst: boolean;
  /** Variables that are there already, which one of the same name replaces. Absent: there are none, nor scopes. */
  present: readonly Variable[] | undefined;
  onChange: (part: Partial<Pick<VariableDraft, 'name' | 'value' | 'scope'>>) => void;
  /** An `.env` text was pasted. */
  onFill: (env: string) => void;
  /** Absent where there is nothing to remove. */
  onRemove: (() => void) | undefined;
}

/** A variable that is being typed, with what is wrong with it below its fields. */
export function VariableRow({
  draft,
  faults,
  isFirst,
  present,
  onChange,
  onFill,
  onRemove,
}: VariableRowProps) {
  const { name, value, warning } = draft;
  const [shown, setShown] = useState(false);
  const replaced = present?.find((variable) => variable.name === name);
  const labelClassName = isFirst ? undefined : 'sm:sr-only';
  const paste = pasteInto(onFill);
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
      <ValueField
        labelClassName={labelClassName}
        error={faults.value}
        warning={warning}
        value={value}
        shown={shown}
        onChange={(changed) => onChange({ value: changed })}
        onPaste={name === '' ? paste : undefined}
      />
      {present && (
        <ScopeField
          labelClassName={labelClassName}
          scope={draft.scope ?? replaced?.scope ?? 'all'}
          onChange={(scope) => onChange({ scope })}
        />
      )}
      <div className={classNames(BUTTONS, !isFirst && 'sm:mt-0')}>
        <ShowButton
          what="value"
          whole={name ? `value of ${name}` : 'value'}
          shown={shown}
          onChange={setShown}
        />
        <RemoveButton name={name} onRemove={onRemove} />
      </div>
    </div>
  );
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]';

/** Beside the controls, which have labels above them. */
const BUTTONS =
  'mt-6.5 flex max-sm:col-start-2 max-sm:row-start-2 sm:max-lg:col-start-3 sm:max-lg:row-start-1';

/** A value may have several lines, which a field for passwords cannot hold. */
const MASKED = '[-webkit-text-security:disc]';

/** What only refers to something tells nothing by itself. */
function isSecret(value: string): boolean {
  return !/^\$\{\{[^}]*\}\}$/.test(value);
}

/** Takes what is pasted for an `.env` text where it looks like one. */
function pasteInto(onFill: VariableRowProps['onFill']) {
  return (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!looksLikeEnv(text)) return;
    event.preventDefault();
    onFill(text);
  };
}

interface ValueFieldProps {
  labelClassName: string | undefined;
  error: string | undefined;
  warning: string | undefined;
  value: string;
  shown: boolean;
  onChange: (value: string) => void;
  onPaste: ((event: ClipboardEvent) => void) | undefined;
}

function ValueField({ labelClassName, error, warning, value, shown, onChange, onPaste }: ValueFieldProps) {
  return (
    <Field label="Value" labelClassName={labelClassName} error={error} hint={warning}>
      <Textarea
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPaste={onPaste}
        rows={1}
        className={classNames('min-h-9 py-1.5! font-mono', !shown && isSecret(value) && MASKED)}
        {...PLAIN}
      />
    </Field>
  );
}

interface ScopeFieldProps {
  labelClassName: string | undefined;
  scope: Variable['scope'];
  onChange: (scope: Variable['scope']) => void;
}

function ScopeField({ labelClassName, scope, onChange }: ScopeFieldProps) {
  return (
    <Field
      label="Available to"
      labelClassName={labelClassName}
      className="max-sm:col-span-2 max-sm:row-start-3 sm:max-lg:col-start-1 sm:max-lg:row-start-2"
    >
      <Select value={scope} options={SCOPE_OPTIONS} onValueChange={onChange} />
    </Field>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: (() => void) | undefined }) {
  return (
    <IconButton label={`Remove ${name || 'variable'}`} title="Remove" disabled={!onRemove} onClick={onRemove}>
      <Trash2 />
    </IconButton>
  );
}
