import { type RecordType, readDomain, readRecordName, readValue, wholeName } from '@nephos/contracts';
import type { CallError, FieldErrors } from '../../lib/errors.ts';
import type { Action } from '../../lib/use-action.ts';

/** A record as it is typed. */
export interface TypedRecord {
  domain: string;
  recordType: RecordType;
  name: string;
  value: string;
  ttl: string;
}

/** What is wrong with a typed record, by field, as far as that can be told without the server. */
export function recordProblems({ domain, recordType, name, value, ttl }: TypedRecord): FieldErrors {
  const zone = readDomain(domain.trim());
  const readings = {
    domain: zone,
    ...(zone.ok && { name: readRecordName(name.trim(), zone.text) }),
    value: readValue(recordType, value.trim()),
  };
  const problems = Object.entries(readings).flatMap(([field, reading]) =>
    reading.ok ? [] : [[field, reading.problem]],
  );
  if (parseTtl(ttl) === undefined) problems.push(['ttl', TTL_FORM]);
  return Object.fromEntries(problems);
}

/** The whole name that a typed record will answer for; undefined while it is none. */
export function typedName({ domain, name }: Pick<TypedRecord, 'domain' | 'name'>): string | undefined {
  const zone = readDomain(domain.trim());
  if (!zone.ok) return undefined;
  const reading = readRecordName(name.trim(), zone.text);
  return reading.ok ? wholeName(reading.text, zone.text) : undefined;
}

const WHOLE = /^\d{1,15}$/;

const TTL_FORM = 'TTL must be a whole number of seconds.';

/** A typed TTL as an integer; undefined for anything but plain digits: neither `1e3` nor `3600.0` is one. */
export function parseTtl(text: string): number | undefined {
  const digits = text.trim();
  return WHOLE.test(digits) ? Number.parseInt(digits, 10) : undefined;
}

/** The field that a rule between records is about, by the code of the refusal. */
const FIELDS: Readonly<Record<string, keyof TypedRecord>> = {
  DOMAIN_RESERVED: 'domain',
  DOMAIN_TAKEN: 'domain',
  ZONE_OVERLAP: 'domain',
  CNAME_CONFLICT: 'name',
  ALIAS_CONFLICT: 'name',
  DELEGATED: 'name',
  DS_CONFLICT: 'name',
  ALIAS_NOT_SERVED: 'value',
  DUPLICATE: 'value',
  GLUE_NEEDED: 'value',
  NULL_MX: 'value',
  TTL_MISMATCH: 'ttl',
};

interface RecordRefusal {
  /** What is wrong, by field. */
  fields: FieldErrors;
  /** What no field of the form explains. */
  refusal: string | undefined;
}

/** What the server has against a record, shown where it can be mended. */
export function recordRefusal<Input>(
  { fields, refusal }: Action<Input>,
  error: CallError | null,
): RecordRefusal {
  const field = FIELDS[error?.data?.reason ?? ''];
  return field && refusal
    ? { fields: { ...fields, [field]: refusal }, refusal: undefined }
    : { fields, refusal };
}
