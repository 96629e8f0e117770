import { MAX_RECORDS_PER_SET, MAX_RECORDS_PER_ZONE, MAX_TEXT_PER_SET, wholeName } from '@nephos/contracts';
import { forbidden } from '../../errors.ts';
import type { ZoneRecord } from './zone-rules.ts';

/** Refuses with 403 a zone, or the set of its last record, that is larger than it may be. */
export function assertRoom(domain: string, records: readonly ZoneRecord[]): void {
  const added = records.at(-1);
  if (!added) return;
  if (records.length > MAX_RECORDS_PER_ZONE) {
    throw forbidden('QUOTA_EXCEEDED', `A domain can have at most ${MAX_RECORDS_PER_ZONE} records.`);
  }
  const { name, recordType } = added;
  const set = records.filter((record) => record.name === name && record.recordType === recordType);
  const owner = wholeName(name, domain);
  if (set.length > MAX_RECORDS_PER_SET) {
    throw forbidden(
      'QUOTA_EXCEEDED',
      `${owner} can have at most ${MAX_RECORDS_PER_SET} ${recordType} records.`,
    );
  }
  const text = set.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
  if (recordType === 'TXT' && text > MAX_TEXT_PER_SET) {
    throw forbidden(
      'QUOTA_EXCEEDED',
      `The TXT records of ${owner} can have at most ${MAX_TEXT_PER_SET} bytes.`,
    );
  }
}
