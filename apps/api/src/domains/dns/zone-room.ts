import { MAX_RECORDS_PER_SET, MAX_RECORDS_PER_ZONE, MAX_TEXT_PER_SET, wholeName } from '@nephos/contracts';
import { forbidden } from '../../core/errors.ts';
import type { ZoneRecord } from './zone-rules.ts';

/** Refuses with 403 QUOTA_EXCEEDED a zone, or a set of it, that is larger than it may be. */
export function assertRoom(domain: string, records: readonly ZoneRecord[]): void {
  if (records.length > MAX_RECORDS_PER_ZONE) {
    throw forbidden('QUOTA_EXCEEDED', `A domain can have at most ${MAX_RECORDS_PER_ZONE} records.`);
  }
  const sets = Map.groupBy(records, ({ name, recordType }) => `${name} ${recordType}`);
  for (const set of sets.values()) {
    const [{ name, recordType } = { name: '@', recordType: 'A' }] = set;
    const owner = wholeName(name, domain);
    if (set.length > MAX_RECORDS_PER_SET) {
      throw forbidden(
        'QUOTA_EXCEEDED',
        `${owner} can have at most ${MAX_RECORDS_PER_SET} ${recordType} records.`,
      );
    }
    const text = set.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
    if (text > MAX_TEXT_PER_SET) {
      throw forbidden(
        'QUOTA_EXCEEDED',
        `The ${recordType} records of ${owner} can have at most ${MAX_TEXT_PER_SET} bytes.`,
      );
    }
  }
}
