import { type DnsRecordChange, type Reading, readRecordName, readValue } from '@nephos/contracts';
import type { z } from 'zod';
import { invalid } from '../../core/errors.ts';
import type { ZoneRecord } from './zone-rules.ts';

/** A record while its zone is edited: only what is stored has an id. */
export type EditedRecord = ZoneRecord & { id?: string };

/**
 * A record as it is after a change; what is sent back as it was stored stays so, even where it would be read as something
 * else. Throws 400, for the field below `path`.
 */
export function changedRecord<R extends EditedRecord>(
  current: R,
  {
    name = current.name,
    value = current.value,
    ttl = current.ttl,
  }: Omit<z.output<typeof DnsRecordChange>, 'id'>,
  { domain, path = '' }: { domain: string; path?: string },
): R {
  return {
    ...current,
    name: name === current.name ? name : read(`${path}name`, readRecordName(name, domain)),
    value: value === current.value ? value : read(`${path}value`, readValue(current.recordType, value)),
    ttl,
  };
}

/** The zone's records after a change, the changed one last. One that stays in its set takes the set's TTL along. */
export function withChange<R extends EditedRecord>(records: readonly R[], current: R, changed: R): R[] {
  const isInItsSet = ({ name, recordType }: R) =>
    changed.name === current.name && name === current.name && recordType === current.recordType;
  const others = records.filter(({ id }) => id !== changed.id);
  return [...others.map((other) => (isInItsSet(other) ? { ...other, ttl: changed.ttl } : other)), changed];
}

function read(path: string, reading: Reading): string {
  if (reading.ok) return reading.text;
  throw invalid(reading.problem, [{ path, message: reading.problem }]);
}
