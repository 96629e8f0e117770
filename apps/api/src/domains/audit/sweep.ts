import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Days for which a record is shown and exported. */
const KEPT_DAYS = 365;
/** Days that one is there after that: what an export has begun with is not deleted before it can have ended. */
const GRACE_DAYS = 1;
/** Records of a chain that are deleted in one transaction. */
const BATCH = 1000;

/**
 * Deletes what is older than a year from the beginnings of the chains. Where a chain begins then is kept with the hash
 * before it, so that the rest can be checked as before.
 */
export async function sweepRecords(db: Kysely<Database>): Promise<void> {
  for (const chain of await chainsWithOld(db)) while (await sweepSome(db, chain));
}

const isOld = sql<boolean>`at < now() - make_interval(days => ${KEPT_DAYS + GRACE_DAYS})`;

/** Whether a record is to be exported, by its column `at`. */
export const IS_KEPT = sql<boolean>`at >= now() - make_interval(days => ${KEPT_DAYS})`;

async function chainsWithOld(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ chain: string }>`
    select c.chain from audit_chains c
    where exists (
      select from audit_records r
      where r.chain = c.chain and r.position = c.swept_position + 1 and r.${isOld})`.execute(db);
  return rows.map(({ chain }) => chain);
}

/** Deletes the oldest as far as all of them are old; whether there may be more. */
function sweepSome(db: Kysely<Database>, chain: string): Promise<boolean> {
  return atomically(db, async (trx) => {
    const head = await trx
      .selectFrom('auditChains')
      .select('sweptPosition')
      .where('chain', '=', chain)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const oldest = await trx
      .selectFrom('auditRecords')
      .select(['position', 'hash', isOld.as('isOld')])
      .where('chain', '=', chain)
      .where('position', '>', head.sweptPosition)
      .orderBy('position')
      .limit(BATCH)
      .execute();
    const end = oldest.findIndex((record) => !record.isOld);
    const last = (end === -1 ? oldest : oldest.slice(0, end)).at(-1);
    if (!last?.position || !last.hash) return false;
    await trx
      .updateTable('auditChains')
      .set({ sweptPosition: last.position, sweptHash: last.hash })
      .where('chain', '=', chain)
      .execute();
    await trx
      .deleteFrom('auditRecords')
      .where('chain', '=', chain)
      .where('position', '<=', last.position)
      .execute();
    return end === -1 && oldest.length === BATCH;
  });
}
