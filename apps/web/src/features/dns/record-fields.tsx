import { MAX_TTL, MIN_TTL } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { type TypedRecord, typedName } from './record-problems.ts';
import { VALUE_HINTS } from './value-hints.ts';

export interface RecordFieldsProps {
  values: TypedRecord;
  set: (field: 'name' | 'value' | 'ttl', value: string) => void;
  errors: FieldErrors;
}

/** A record's name, value and TTL, when it is made and when it is changed. */
export function RecordFields({ values, set, errors }: RecordFieldsProps) {
  const { placeholder, hint } = VALUE_HINTS[values.recordType];
  const whole = typedName(values);
  return (
    <>
      <Field
        label="Name"
        error={errors.name}
        hint={
          <>
            <code>@</code> is the domain itself.
            {whole && (
              <>
                {' '}
                Answers for <code className="break-all">{whole}</code>
              </>
            )}
          </>
        }
      >
        <PlainInput value={values.name} onChange={(event) => set('name', event.target.value)} />
      </Field>
      <Field label="Value" required error={errors.value} hint={hint}>
        <PlainInput
          value={values.value}
          onChange={(event) => set('value', event.target.value)}
          placeholder={placeholder}
        />
      </Field>
      <Field
        label="TTL"
        error={errors.ttl}
        hint={`Seconds for which others may remember an answer, ${MIN_TTL} to ${MAX_TTL}. All records of a name and type share it.`}
      >
        <PlainInput
          value={values.ttl}
          onChange={(event) => set('ttl', event.target.value)}
          inputMode="numeric"
          className="sm:w-40"
        />
      </Field>
    </>
  );
}
