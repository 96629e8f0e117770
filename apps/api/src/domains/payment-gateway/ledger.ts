import type { Database } from '@nephos/db';
import { type Insertable, type Kysely, sql } from 'kysely';

type Entry = Omit<Insertable<Database['ledgerEntries']>, 'transactionId' | 'kind' | 'paymentId'> & {
  /** The line of a statement that it is, and whose payment; absent where no statement shows it. */
  line?: { kind: 'sent' | 'received' | 'returned'; paymentId: string };
};

export interface Posting {
  reference: string;
  /** The transaction that this one undoes: each can be undone once. */
  reverses?: string | null;
  /** Two or more, of different accounts, that sum to 0. */
  entries: Entry[];
}

/** The ledger accounts of a virtual account. */
export type Funds = Pick<Database['virtualAccounts'], 'availableId' | 'heldId' | 'outsideId'>;

/**
 * Locks accounts until the end of the transaction, in the order of their ids: whoever moves money locks so first, all
 * that it touches at once, and nobody waits in a circle.
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
 * Moves money; the accounts are locked already. The tables' own rules refuse what does not sum to 0 and what an
 * account has not got: callers look first, so that is a fault of ours.
 */
export async function post(trx: Kysely<Database>, posting: Posting): Promise<string> {
  const { reference, reverses = null, entries } = posting;
  const { id } = await trx
    .insertInto('ledgerTransactions')
    .values({ reference, reverses })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('ledgerEntries')
    .values(
      entries.map(({ accountId, amount, line }) => ({
        transactionId: id,
        accountId,
        amount,
        kind: line?.kind ?? null,
        paymentId: line?.paymentId ?? null,
      })),
    )
    .execute();
  return id;
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
