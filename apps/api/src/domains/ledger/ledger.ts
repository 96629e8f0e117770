import { MAX_FUNDS } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

interface Entry {
  accountId: string;
  /** Cents, not 0. */
  amount: number;
  /** The line of a statement that it is, and whose payment; absent where no statement shows it. */
  line?: { kind: 'sent' | 'received' | 'returned'; paymentId: string };
}

export interface Posting {
  reference: string;
  /** The transaction that this one undoes: each can be undone once. */
  reverses?: string | null;
  /** Two or more, of different accounts, that sum to 0. */
  entries: readonly Entry[];
}

/** The ledger accounts of a virtual account. */
export type Funds = Pick<Database['virtualAccounts'], 'availableId' | 'heldId' | 'outsideId'>;

/**
 * Locks accounts until the end of the transaction, in the order of their ids, for who reads what is in them before it
 * moves: whoever moves money locks so, and nobody waits in a circle.
 */
export async function lockAccounts(trx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  await trx
    .selectFrom('ledgerAccounts')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Moves money by `ledger_post`, and gives the transaction's id. The ledger's own rules refuse what does not sum to 0,
 * what an account has not got and what it may not hold: callers look first, so that is a fault of ours.
 */
export async function post(trx: Kysely<Database>, posting: Posting): Promise<string> {
  const { reference, reverses = null, entries } = posting;
  const accounts = entries.map(({ accountId }) => accountId);
  const amounts = entries.map(({ amount }) => amount);
  const kinds = entries.map(({ line }) => line?.kind ?? null);
  const payments = entries.map(({ line }) => line?.paymentId ?? null);
  const { rows } = await sql<{ id: string }>`
    select ledger_post(${reference}, ${accounts}::uuid[], ${amounts}::bigint[], ${kinds}::text[], ${payments}::uuid[],
      ${MAX_FUNDS}, ${reverses}::uuid) as id`.execute(trx);
  const [posted] = rows;
  if (!posted) throw new Error('ledger_post always answers with an id.');
  return posted.id;
}

/** Writes down what a card was charged: from the cards, which are outside of this bank, to the revenue. */
export async function postCharge(
  trx: Kysely<Database>,
  { reference, amount }: { reference: string; amount: number },
): Promise<string> {
  const accounts = await trx.selectFrom('ledgerSystemAccounts').selectAll().execute();
  const idOf = (name: string) => accounts.find((account) => account.name === name)?.accountId ?? '';
  const entries = [
    { accountId: idOf('cards'), amount: -amount },
    { accountId: idOf('revenue'), amount },
  ];
  return post(trx, { reference, entries });
}

/** Cents at several accounts together. */
export async function balanceOf(trx: Kysely<Database>, ids: readonly string[]): Promise<number> {
  const { balance } = await trx
    .selectFrom('ledgerAccounts')
    .select(sql<number>`coalesce(sum(balance), 0)`.as('balance'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return balance;
}

/** Makes the three accounts that a virtual account is made of, all empty. */
export async function openFunds(trx: Kysely<Database>): Promise<Funds> {
  const rows = await trx
    .insertInto('ledgerAccounts')
    .values([{ kind: 'available' }, { kind: 'held' }, { kind: 'outside' }])
    .returning(['id', 'kind'])
    .execute();
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.id ?? '';
  return { availableId: idOf('available'), heldId: idOf('held'), outsideId: idOf('outside') };
}
