import type { ItemInput } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';

export interface ItemInputsProps {
  inputs: readonly ItemInput[];
  draft: Draft<Record<string, string>>;
  errors: FieldErrors;
}

/** The questions of an item. */
export function ItemInputs({ inputs, draft: { values, set }, errors }: ItemInputsProps) {
  return inputs.map(({ name, label, hint, placeholder, required }) => (
    <Field key={name} label={label} hint={hint} required={required} error={errors[`inputs.${name}`]}>
      <Input
        value={values[name] ?? ''}
        onChange={(event) => set(name, event.target.value)}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Field>
  ));
}
