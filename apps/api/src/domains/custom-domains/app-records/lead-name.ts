import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { differenceOf, keyOf, sizeOf } from '../../dns/changes/difference.ts';
import type { ChangeOrigin } from '../../dns/changes/note-change.ts';
import { saveRecords } from '../../dns/changes/save-records.ts';
import { recordsOfZone } from '../../dns/records.ts';
import type { ZoneRecord } from '../../dns/zone-rules.ts';
import type { ZoneRow } from '../../dns/zones.ts';

/** What leads a name to a project's app, or a bucket's site. */
export interface Lead {
  name: string;
  /** What its records are to follow. */
  follows: { projectId: string | null; bucketId: string | null };
  /** Its records; one at least. */
  records: readonly ZoneRecord[];
  /** Ids of the records in whose place they come. */
  replaced: readonly string[];
}

/**
 * Has names of a zone that is locked lead to apps, in one change, and marks their records as following these. What is
 * there already is marked alone. Throws as `saveRecords` does.
 */
export async function leadNames(
  trx: Kysely<Database>,
  zone: ZoneRow,
  leads: readonly Lead[],
  origin: ChangeOrigin,
): Promise<void> {
  const { id: zoneId, ownerId, domain } = zone;
  const before = await recordsOfZone(trx, zone);
  const replaced = new Set(leads.flatMap((lead) => lead.replaced));
  const kept = before.filter(({ id }) => !replaced.has(id));
  const there = new Set(kept.map(keyOf));
  const wanted = leads.flatMap(({ records }) => records).filter((record) => !there.has(keyOf(record)));
  const after = [...kept, ...wanted];
  const difference = differenceOf(before, after);
  if (sizeOf(difference) > 0) {
    await saveRecords(trx, { ownerId, domain, zone, claim: undefined, after, difference }, origin);
  }
  for (const { follows, records } of leads) {
    for (const { name, recordType, value } of records) {
      await trx
        .updateTable('dnsRecords')
        .set(follows)
        .where('ownerId', '=', ownerId)
        .where('zoneId', '=', zoneId)
        .where('name', '=', name)
        .where('recordType', '=', recordType)
        .where('value', '=', value)
        .execute();
    }
  }
}
