import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { raiseSerial, type ZoneRow } from '../zones.ts';
import { type Difference, sizeOf } from './difference.ts';
import { type ChangeOrigin, noteChange } from './note-change.ts';

/** Rows that are written by one statement. */
const BATCH = 500;

/** Writes what changes of a zone that is locked; where anything does, raises its serial and notes the change. */
export async function saveDifference(
  trx: Kysely<Database>,
  zone: ZoneRow,
  difference: Difference,
  origin: ChangeOrigin,
): Promise<void> {
  const { added, removed, changed } = difference;
  if (sizeOf(difference) === 0) return;
  const { id: zoneId, ownerId } = zone;
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id);
    await trx
      .deleteFrom('dnsRecords')
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zoneId)
      .where('id', 'in', ids)
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
  const rows = added.map(({ name, recordType, value, ttl }) => ({
    ...{ ownerId, zoneId, name, recordType, value, ttl },
  }));
  for (let at = 0; at < rows.length; at += BATCH) {
    await trx
      .insertInto('dnsRecords')
      .values(rows.slice(at, at + BATCH))
      .execute();
  }
  const serial = await raiseSerial(trx, zone);
  await noteChange(trx, { ...zone, serial }, difference, origin);
}
