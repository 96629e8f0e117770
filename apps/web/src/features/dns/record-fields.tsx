import type { RecordType } from '@nephos/contracts';
import { MAX_TTL, MIN_TTL } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { type TypedRecord, typedName } from './record-problems.ts';

interface RecordFieldsProps {
  values: TypedRecord;
  set: (field: 'name' | 'value' | 'ttl', value: string) => void;
  errors: FieldErrors;
}

/** A record's name, value and TTL, when it is made and when it is changed. */
export function RecordFields({ values, set, errors }: RecordFieldsProps) {
  const { placeholder, hint } = VALUE_HINTS[values.recordType];
  return (
    <>
      <Field label="Name" error={errors.name} hint={<NameHint values={values} />}>
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

function NameHint({ values }: Pick<RecordFieldsProps, 'values'>) {
  const whole = typedName(values);
  return (
    <>
      <code>@</code> is the domain itself.
      {whole && (
        <>
          {' '}
          Answers for <code className="break-all">{whole}</code>
        </>
      )}
    </>
  );
}

interface ValueHint {
  placeholder: string;
  /** What a value of the type is. */
  hint: string;
}

/** Addresses are of the ranges for documentation (RFC 5737, RFC 3849). */
const VALUE_HINTS: Record<RecordType, ValueHint> = {
  A: { placeholder: '203.0.113.10', hint: 'The IPv4 address that the name leads to.' },
  AAAA: { placeholder: '2001:db8::10', hint: 'The IPv6 address that the name leads to.' },
  CNAME: {
    placeholder: 'app.example.com',
    hint: 'The host name that this one is another name of. It stands alone at its name, and never at the domain itself.',
  },
  MX: {
    placeholder: '10 mail.example.com',
    hint: 'A preference (lower is tried first) and the host that takes the mail; 0 and a dot where none does.',
  },
  TXT: { placeholder: 'v=spf1 mx -all', hint: 'The text as it is, without quotes.' },
  NS: {
    placeholder: 'ns1.example.net',
    hint: 'The host name of a name server that answers for everything below the name.',
  },
};
