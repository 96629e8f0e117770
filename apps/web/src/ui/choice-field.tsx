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

/** A labelled choice of one among a few; those that cannot be had are shown with the reason. */
export function ChoiceField<V extends string>({
  label,
  value,
  onChange,
  choices,
  error,
}: ChoiceFieldProps<V>) {
  const missing = choices.filter(({ available }) => !available);
  return (
    <Field
      label={label}
      error={error}
      hint={
        missing.length > 0 &&
        missing.map(({ value, name, reason }) => (
          <span key={value} className="block">
            {name} is not available: {reason}
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
