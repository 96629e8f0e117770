import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { raiseSerial } from '../zone-serials.ts';
import { lockZone } from '../zones.ts';
import { RETIREMENT } from './key-times.ts';

/** Zones that one sweep looks after; the next one does the rest. */
const BATCH = 500;
/** Seconds after which secondaries fetch a signed zone again, long before the signatures that they have end. */
const FRESHNESS = 4 * 86_400;

/** Removes keys that nothing in caches needs any more, and has secondaries fetch fresh signatures. */
export async function sweepZoneKeys(db: Kysely<Database>): Promise<void> {
  const due = await db
    .selectFrom('dnsZones as zone')
    .select(['zone.ownerId', 'zone.domain'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('dnsZoneKeys as key')
          .select('key.id')
          .whereRef('key.zoneId', '=', 'zone.id')
          .where(({ or, eb, and }) =>
            or([
              // Serials are the seconds of their change, where changes do not come faster.
              eb('zone.serial', '<', sql<number>`extract(epoch from now())::bigint - ${FRESHNESS}`),
              and([
                eb('key.state', '=', 'retiring'),
                eb('key.since', '<', sql<string>`now() - make_interval(secs => ${RETIREMENT})`),
              ]),
            ]),
          ),
      ),
    )
    .limit(BATCH)
    .execute();
  for (const { ownerId, domain } of due) {
    await atomically(db, async (trx) => {
      const zone = await lockZone(trx, ownerId, domain);
      if (!zone) return;
      await trx
        .deleteFrom('dnsZoneKeys')
        .where('ownerId', '=', ownerId)
        .where('zoneId', '=', zone.id)
        .where('state', '=', 'retiring')
        .where('since', '<', sql<string>`now() - make_interval(secs => ${RETIREMENT})`)
        .execute();
      await raiseSerial(trx, zone);
    });
  }
}
