import { type RecordType, readDomain, readRecordName, readValue, wholeName } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import { parseTtl, TTL_FORM } from './parse-ttl.ts';

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
