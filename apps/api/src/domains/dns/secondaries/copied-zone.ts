import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { ZoneRow } from '../zones.ts';

/** Whether every secondary of a zone has its present serial, but for those that do not answer for it. */
export async function isCopied(
  db: Kysely<Database>,
  { id, ownerId }: Pick<ZoneRow, 'id' | 'ownerId'>,
): Promise<boolean> {
  const behind = await db
    .selectFrom('dnsSecondaries')
    .innerJoin('dnsZones', 'dnsZones.id', 'dnsSecondaries.zoneId')
    .select('dnsSecondaries.id')
    .where('dnsSecondaries.ownerId', '=', ownerId)
    .where('dnsSecondaries.zoneId', '=', id)
    .where('failingSince', 'is', null)
    .where(({ eb, ref }) => eb('dnsSecondaries.serial', 'is distinct from', ref('dnsZones.serial')))
    .executeTakeFirst();
  return behind === undefined;
}
