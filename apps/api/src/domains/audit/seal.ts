import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { GENESIS, HASHED, nextHash, textOf } from './canonical.ts';

/** Records that are sealed in one transaction at most. */
const BATCH = 500;
/** Key of the lock by which one replica seals at a time; any number that nothing else locks by. */
const SEALING = 7_303_841;

interface Head {
  position: number;
  hash: Uint8Array;
}

/** Records of one chain that cannot be sealed one after the other, after which the whole chain is left out. */
const HOPELESS = 3;
/** Records that are remembered at most: of one more, the chain is. */
const REMEMBERED = 1000;

/** What could not be sealed: all else is, without it. */
export interface Unsealable {
  records: Set<string>;
  chains: Set<string>;
  /** Records of each chain that could not be sealed since one of it could. */
  inARow: Map<string, readonly string[]>;
}

export function createUnsealable(): Unsealable {
  return { records: new Set(), chains: new Set(), inARow: new Map() };
}

/** Leaves a record out from now on, or its whole chain, which it says. */
function leaveOut({ records, chains, inARow }: Unsealable, { id, chain }: Place): boolean {
  const failed = [...(inARow.get(chain) ?? []), id];
  if (failed.length < HOPELESS && records.size < REMEMBERED) {
    records.add(id);
    inARow.set(chain, failed);
    return false;
  }
  for (const one of failed) records.delete(one);
  inARow.delete(chain);
  chains.add(chain);
  return true;
}

interface Place {
  id: string;
  chain: string;
}

interface Attempt {
  /** Records at most. */
  size: number;
  unsealable: Unsealable;
  /** Is told which records it is about, before anything of theirs can fail. */
  taken(records: readonly Place[]): void;
}

/**
 * Seals what was committed and is not sealed yet, and says how many records that were. Whatever is visible and has no
 * place is taken, so a record whose transaction committed late comes later in its chain, and none is left out. Cut
 * short, it sealed nothing.
 */
async function sealSome(db: Kysely<Database>, { size, unsealable, taken }: Attempt): Promise<number> {
  return atomically(db, async (trx) => {
    taken([]);
    const { rows: locks } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${SEALING}) as held`.execute(trx);
    if (!locks[0]?.held) return 0;
    const records = await trx
      .selectFrom('auditLog')
      .selectAll()
      .where('position', 'is', null)
      .where('id', '<>', sql<string>`all(${[...unsealable.records]}::uuid[])`)
      .where('chain', '<>', sql<string>`all(${[...unsealable.chains]}::uuid[])`)
      .orderBy('id')
      .limit(size)
      .execute();
    if (records.length === 0) return 0;
    taken(records);
    const heads = await headsOf(trx, [...new Set(records.map(({ chain }) => chain))]);
    const sealed = records.map((record) => {
      const { position: before, hash: previous } = heads.get(record.chain) ?? { position: 0, hash: GENESIS };
      const position = before + 1;
      const hash = nextHash(previous, textOf(record, position));
      heads.set(record.chain, { position, hash });
      return { id: record.id, position, hash: hash.toString('hex') };
    });
    await putSealed(trx, sealed);
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

interface Seal {
  id: string;
  position: number;
  /** In hexadecimal digits. */
  hash: string;
}

/** Puts what waits among the sealed records, where the version before this one has its own already. */
async function putSealed(trx: Kysely<Database>, seals: readonly Seal[]): Promise<void> {
  const columns = sql.join(HASHED.map((column) => sql.ref(column)));
  // Asked for by their ids as well, so that no other record is read out of its JSON, or looked for without an index.
  const ids = sql`any(${seals.map(({ id }) => id)}::uuid[])`;
  await sql`
    insert into audit_records (${columns}, position, hash)
    select ${columns}, seal.position, decode(seal.hash, 'hex')
    from audit_log join jsonb_to_recordset(${JSON.stringify(seals)}::jsonb) seal (id uuid, position bigint, hash text)
    using (id) where id = ${ids}
    on conflict (id) do update set position = excluded.position, hash = excluded.hash`.execute(trx);
  await sql`delete from unsealed_records where id = ${ids}`.execute(trx);
}

async function headsOf(trx: Kysely<Database>, chains: readonly string[]): Promise<Map<string, Head>> {
  const rows = await trx
    .selectFrom('auditChains')
    .select(['chain', 'position', 'hash'])
    .where('chain', 'in', chains)
    .execute();
  return new Map(rows.map(({ chain, ...head }) => [chain, head]));
}

export interface Sealing {
  /** What was found to be so before; what is found now is added. */
  unsealable?: Unsealable;
  /** Is told of each record that cannot be sealed, and whether its whole chain is left out with it. */
  onUnsealable?(record: Place, error: unknown, isWhole: boolean): void;
  /** Ends it between two transactions. */
  signal?: AbortSignal;
}

/** Whether it is a record that is at fault, and not the connection or the server. */
function isOfRecord(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  // Data that is no such thing or too large, a constraint, and what a trigger raises.
  return error instanceof Error && 'code' in error && /^(22|23|54|P0)/.test(String(error.code));
}

/**
 * Seals all that waits. Where a batch fails by its records, half of it is tried, down to the one record that cannot be sealed, which is
 * left out from then on. Throws where the database cannot be used.
 */
export async function sealRecords(
  db: Kysely<Database>,
  { unsealable = createUnsealable(), onUnsealable = () => {}, signal }: Sealing = {},
): Promise<void> {
  for (let size = BATCH; !signal?.aborted; ) {
    let records: readonly Place[] = [];
    try {
      const sealed = await sealSome(db, { size, unsealable, taken: (those) => (records = those) });
      for (const { chain } of records) unsealable.inARow.delete(chain);
      if (sealed < size) return;
      size = Math.min(2 * size, BATCH);
    } catch (error) {
      const [first] = records;
      if (!first || !isOfRecord(error)) throw error;
      if (records.length === 1) {
        const isWhole = leaveOut(unsealable, first);
        onUnsealable(first, error, isWhole);
        size = isWhole ? BATCH : 1;
      } else {
        size = Math.ceil(records.length / 2);
      }
    }
  }
}
