import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** The least next serial, in seconds: serials go up (RFC 1982), and by one where changes come faster than the time. */
const now = sql<number>`extract(epoch from now())::bigint`;

/** Raises a zone's serial, which tells the name servers; what it is now. */
export async function raiseSerial(
  trx: Kysely<Database>,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<number> {
  const { serial } = await trx
    .updateTable('dnsZones')
    .set({ serial: sql`greatest(serial + 1, ${now})` })
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .returning('serial')
    .executeTakeFirstOrThrow();
  return serial;
}

/** Remembers the last serial of a domain that is dropped. */
export async function keepSerial(trx: Kysely<Database>, domain: string, serial: number): Promise<void> {
  await trx
    .insertInto('dnsPastSerials')
    .values({ domain, serial })
    .onConflict((conflicting) => conflicting.column('domain').doUpdateSet({ serial }))
    .execute();
}

/** Forgets the serials of freed domains that the time has overtaken. */
export async function sweepPastSerials(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('dnsPastSerials').where('serial', '<', now).execute();
}

/** Above every serial that the domain ever had. */
export function firstSerial(domain: string) {
  return sql<number>`greatest(${now}, 1 + (select serial from dns_past_serials where domain = ${domain}))`;
}
