import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { raiseSerial } from '../zone-serials.ts';
import type { ZoneRow } from '../zones.ts';
import { type Difference, rewrittenOf, sizeOf } from './difference.ts';
import { type ChangeOrigin, noteChange } from './note-change.ts';

/** Rows that are written by one statement. */
const BATCH = 500;

/** Writes what changes of a zone that is locked; where anything does, raises its serial and notes the change, whose id it gives. */
export async function saveDifference(
  trx: Kysely<Database>,
  zone: ZoneRow,
  difference: Difference,
  origin: ChangeOrigin,
): Promise<string | undefined> {
  const { added, removed, changed } = difference;
  if (sizeOf(difference) === 0) return undefined;
  const { id: zoneId, ownerId } = zone;
  const rewritten = new Map(rewrittenOf(difference).map((record) => [record.id, record]));
  const ids = removed.flatMap(({ id }) => (rewritten.has(id) ? [] : [id]));
  if (ids.length > 0) {
    await trx
      .deleteFrom('dnsRecords')
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zoneId)
      .where('id', 'in', ids)
      .execute();
  }
  for (const { id, name, value, ttl } of rewritten.values()) {
    await trx
      .updateTable('dnsRecords')
      .set({ name, value, ttl, projectId: null, bucketId: null })
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zoneId)
      .where('id', '=', id)
      .execute();
  }
  for (const [ttl, records] of Map.groupBy(changed, (record) => record.ttl)) {
    const ids = records.map(({ id }) => id);
    await trx
      .updateTable('dnsRecords')
      .set({ ttl })
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zoneId)
      .where('id', 'in', ids)
      .execute();
  }
  const isNew = ({ id = '' }: Difference['added'][number]) => !rewritten.has(id);
  const rows = added.filter(isNew).map(({ name, recordType, value, ttl }) => ({
    ...{ ownerId, zoneId, name, recordType, value, ttl },
  }));
  for (let at = 0; at < rows.length; at += BATCH) {
    await trx
      .insertInto('dnsRecords')
      .values(rows.slice(at, at + BATCH))
      .execute();
  }
  const serial = await raiseSerial(trx, zone);
  return noteChange(trx, { ...zone, serial }, difference, origin);
}
