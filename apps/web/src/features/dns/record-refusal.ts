import type { CallError, FieldErrors } from '../../lib/errors.ts';
import type { Action } from '../../lib/use-action.ts';
import type { TypedRecord } from './record-problems.ts';

/** The field that a rule between records is about, by the code of the refusal. */
const FIELDS: Readonly<Record<string, keyof TypedRecord>> = {
  DOMAIN_RESERVED: 'domain',
  DOMAIN_TAKEN: 'domain',
  ZONE_OVERLAP: 'domain',
  CNAME_CONFLICT: 'name',
  DELEGATED: 'name',
  DUPLICATE: 'value',
  GLUE_NEEDED: 'value',
  NULL_MX: 'value',
  TTL_MISMATCH: 'ttl',
};

export interface RecordRefusal {
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
