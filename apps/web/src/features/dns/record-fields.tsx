import type { RecordType } from '@nephos/contracts';
import { MAX_TTL, MIN_TTL, RECORD_TYPES } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { type TypedRecord, typedName } from './record-problems.ts';

const TYPE_OPTIONS = RECORD_TYPES.map((value) => ({ value, label: value }));

interface RecordTypeFieldProps {
  value: RecordType;
  onChange: (type: RecordType) => void;
  error?: string | undefined;
}

/** A record's type, while it is made. */
export function RecordTypeField({ value, onChange, error }: RecordTypeFieldProps) {
  return (
    <Field label="Type" error={error}>
      <Select value={value} onValueChange={onChange} options={TYPE_OPTIONS} />
    </Field>
  );
}

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
        hint={`How long resolvers cache the answer, in seconds (${MIN_TTL}–${MAX_TTL}). Records with the same name and type share one TTL.`}
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
      Use <code>@</code> for the domain itself.
      {whole && (
        <>
          {' '}
          Full name: <code className="break-all">{whole}</code>
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
  A: { placeholder: '203.0.113.10', hint: 'The IPv4 address the name points to.' },
  AAAA: { placeholder: '2001:db8::10', hint: 'The IPv6 address the name points to.' },
  CNAME: {
    placeholder: 'app.example.com',
    hint: "The host name this name is an alias for. Can't be used for the domain itself or alongside other records.",
  },
  MX: {
    placeholder: '10 mail.example.com',
    hint: 'Priority (lower is tried first) and mail server. Use 0 . if the domain accepts no mail.',
  },
  TXT: { placeholder: 'v=spf1 mx -all', hint: 'Plain text, without quotes.' },
  NS: {
    placeholder: 'ns1.example.net',
    hint: 'The name server responsible for this name and everything below it.',
  },
  CAA: {
    placeholder: '0 issue "letsencrypt.org"',
    hint: 'Flags (0, or 128 for critical), tag (issue, issuewild, iodef) and value: who may issue certificates for this name.',
  },
  SRV: {
    placeholder: '10 5 5060 sip.example.com',
    hint: 'Priority (lower is tried first), weight, port and host of a service. The name is like _sip._tcp.',
  },
  PTR: { placeholder: 'host.example.com', hint: 'The host name of an address, for reverse lookups.' },
  TLSA: {
    placeholder: '3 1 1 and 64 hexadecimal digits',
    hint: "Usage, selector, matching type and the digest of a server's certificate or key. The name is like _443._tcp.www.",
  },
  SSHFP: {
    placeholder: '4 2 and 64 hexadecimal digits',
    hint: 'Algorithm, type and the fingerprint of an SSH host key, as ssh-keygen -r prints them.',
  },
  HTTPS: {
    placeholder: '1 . alpn=h2,h3',
    hint: 'Priority, host (or . for this name) and parameters of a website. Priority 0 makes this name an alias, like 0 www.example.com.',
  },
  SVCB: {
    placeholder: '1 dns.example.com alpn=dot port=853',
    hint: 'Priority, host (or . for this name) and parameters of a service. The name is like _dns.',
  },
  DS: {
    placeholder: '12345 13 2 and 64 hexadecimal digits',
    hint: 'Key tag, algorithm, digest type and digest of a key. Only for a name below the domain that has NS records.',
  },
  ALIAS: {
    placeholder: 'app.example.com',
    hint: 'Answers with the A and AAAA records of that name, which must be in a domain served here. Can be used for the domain itself.',
  },
};
