import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { GENESIS, nextHash, textOf } from './canonical.ts';

/** Records that are sealed in one transaction at most. */
const BATCH = 500;
/** Key of the lock by which one replica seals at a time; any number that nothing else locks by. */
const SEALING = 7_303_841;

interface Head {
  position: number;
  hash: Uint8Array;
}

/**
 * Seals what was committed and is not sealed yet, and says how many records that were. Whatever is visible and has no
 * place is taken, so a record whose transaction committed late comes later in its chain, and none is left out. Cut
 * short, it sealed nothing.
 */
async function sealSome(db: Kysely<Database>): Promise<number> {
  return atomically(db, async (trx) => {
    const { rows: locks } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${SEALING}) as held`.execute(trx);
    if (!locks[0]?.held) return 0;
    const records = await trx
      .selectFrom('auditRecords')
      .selectAll()
      .where('position', 'is', null)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (records.length === 0) return 0;
    const heads = await headsOf(trx, [...new Set(records.map(({ chain }) => chain))]);
    const sealed = records.map((record) => {
      const { position: before, hash: previous } = heads.get(record.chain) ?? { position: 0, hash: GENESIS };
      const position = before + 1;
      const hash = nextHash(previous, textOf(record, position));
      heads.set(record.chain, { position, hash });
      return { id: record.id, position, hash: hash.toString('hex') };
    });
    await sql`
      update audit_records set position = sealed.position, hash = decode(sealed.hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) sealed (id uuid, position bigint, hash text)
      where audit_records.id = sealed.id`.execute(trx);
    await trx
      .insertInto('auditChains')
      .values([...heads].map(([chain, { position, hash }]) => ({ chain, position, hash: Buffer.from(hash) })))
      .onConflict((known) =>
        known.column('chain').doUpdateSet(({ ref }) => ({
          position: ref('excluded.position'),
          hash: ref('excluded.hash'),
        })),
      )
      .execute();
    return records.length;
  });
}

async function headsOf(trx: Kysely<Database>, chains: readonly string[]): Promise<Map<string, Head>> {
  const rows = await trx
    .selectFrom('auditChains')
    .select(['chain', 'position', 'hash'])
    .where('chain', 'in', chains)
    .execute();
  return new Map(rows.map(({ chain, ...head }) => [chain, head]));
}

/** Seals all that waits. */
export async function sealRecords(db: Kysely<Database>): Promise<void> {
  while ((await sealSome(db)) === BATCH);
}
