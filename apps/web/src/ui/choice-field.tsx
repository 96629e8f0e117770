import { Field } from './field.tsx';
import { Select } from './select.tsx';

export interface Choice<V extends string> {
  value: V;
  name: string;
  available: boolean;
  /** Why it is not available, as a sentence. */
  reason: string;
}

export interface ChoiceFieldProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  choices: readonly Choice<V>[];
  error: string | undefined;
}

const NAMES = new Intl.ListFormat('en');

/** What cannot be had, by why: what several lack is said once. */
function missingOf<V extends string>(choices: readonly Choice<V>[]): { reason: string; names: string[] }[] {
  const missing = choices.filter(({ available }) => !available);
  const reasons = new Set(missing.map(({ reason }) => reason));
  return [...reasons].map((reason) => ({
    reason,
    names: missing.filter((choice) => choice.reason === reason).map(({ name }) => name),
  }));
}

/** A labelled choice of one among a few; those that cannot be had are shown with the reason. */
export function ChoiceField<V extends string>({
  label,
  value,
  onChange,
  choices,
  error,
}: ChoiceFieldProps<V>) {
  const missing = missingOf(choices);
  return (
    <Field
      label={label}
      error={error}
      hint={
        missing.length > 0 &&
        missing.map(({ reason, names }) => (
          <span key={reason} className="block">
            {names.length === choices.length
              ? reason
              : `${NAMES.format(names)} ${names.length === 1 ? 'is' : 'are'} not available: ${reason}`}
          </span>
        ))
      }
    >
      <Select
        value={value}
        onValueChange={onChange}
        options={choices.map(({ value, name, available }) => ({
          value,
          label: available ? name : `${name} (not available)`,
          disabled: !available,
        }))}
      />
    </Field>
  );
}
