import { createHash } from 'node:crypto';
import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Transactions that are linked at once at most. */
const BATCH = 500;
/** Key of the lock by which one replica links at a time; any number that nothing else locks by. */
const LINKING = 7_303_842;
/** What the chain begins with. */
const GENESIS = Buffer.alloc(32);

// Arrays, so that it is one statement for however many links, and not one with parameters for each.
const insertLinks = prepare(
  (db, parameter: Parameter<{ positions: number[]; transactionIds: string[]; hashes: string[] }>) =>
    sql`
      insert into ledger_links (position, transaction_id, hash)
      select position, transaction_id, decode(hash, 'hex')
      from unnest(${parameter('positions')}::bigint[], ${parameter('transactionIds')}::uuid[],
        ${parameter('hashes')}::text[]) as link (position, transaction_id, hash)`.compile(db),
);

/** Links what was committed and waits, and says how many transactions that were. Cut short, it linked nothing. */
async function linkSome(db: Kysely<Database>): Promise<number> {
  return atomically(db, async (trx) => {
    const { rows: locks } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${LINKING}) as held`.execute(trx);
    if (!locks[0]?.held) return 0;
    const { rows } = await sql<{ id: string; text: string }>`
      with taken as (
        delete from ledger_unlinked
        where ctid = any (array(select ctid from ledger_unlinked limit ${BATCH}))
        returning transaction_id
      )
      select t.id, ledger_transaction_text(t) as text from taken join ledger_transactions t on t.id = transaction_id
      order by t.id`.execute(trx);
    if (rows.length === 0) return 0;
    const head = await trx
      .selectFrom('ledgerLinks')
      .select(['position', 'hash'])
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    const { position, hash: previous } = head ?? { position: 0, hash: GENESIS };
    let hash = previous;
    const hashes = rows.map(({ text }) => {
      hash = createHash('sha256').update(hash).update(text).digest();
      return hash.toString('hex');
    });
    await insertLinks(trx, {
      positions: rows.map((_, index) => position + 1 + index),
      transactionIds: rows.map(({ id }) => id),
      hashes,
    });
    return rows.length;
  });
}

/** Gives each transaction of the ledger that waits its place in the chain; `signal` ends it between two batches. */
export async function linkTransactions(db: Kysely<Database>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await linkSome(db)) === BATCH);
}

/** What the ledger's chain is found to be. */
export interface ChainFinding {
  /** Links that were checked: all there are. */
  links: number;
  /** Transactions that have no place yet. */
  waiting: number;
  /** The first transaction that is not what was linked, or that is missing; null where all holds. */
  brokenAt: string | null;
}

/** Computes the hash of every link anew, within the transaction `trx`. */
export async function checkLedgerChain(trx: Kysely<Database>): Promise<ChainFinding> {
  const { rows } = await sql<ChainFinding>`
    with links as (
      select l.position, l.transaction_id, l.hash,
        lag(l.hash, 1, decode(repeat('00', 32), 'hex')) over (order by l.position) as previous,
        row_number() over (order by l.position) as expected,
        case when t.id is not null then ledger_transaction_text(t) end as text
      from ledger_links l left join ledger_transactions t on t.id = l.transaction_id
    ), broken as (
      select transaction_id, position from links
      where position <> expected or text is null or hash <> sha256(previous || convert_to(text, 'UTF8'))
      union all
      select t.id, 9223372036854775807 from ledger_transactions t
      where not exists (select from ledger_links l where l.transaction_id = t.id)
        and not exists (select from ledger_unlinked u where u.transaction_id = t.id)
    )
    select
      (select count(*) from links) as links,
      (select count(*) from ledger_unlinked) as waiting,
      (select transaction_id from broken order by position limit 1) as "brokenAt"`.execute(trx);
  const [finding] = rows;
  if (!finding) throw new Error('a query without a table has a row');
  return finding;
}
