import type { TrialBalance } from '@nephos/contracts';
import { allowSeconds, atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { checkLedgerChain } from './chain.ts';

/** Discrepancies that are listed at most. */
const LISTED = 100;

/** What the whole ledger adds up to at one moment, from every entry there is. */
export function readTrialBalance({ db }: Pick<UserContext, 'db'>): Promise<TrialBalance> {
  return atomically(db, async (trx) => {
    // One snapshot for both questions, and more time than a request's usual query has: this reads it all.
    await sql`set transaction isolation level repeatable read, read only`.execute(trx);
    await allowSeconds(trx, 60);
    return {
      currencies: await readCurrencies(trx),
      discrepancies: await readDiscrepancies(trx),
      chain: await checkLedgerChain(trx),
    };
  });
}

async function readCurrencies(trx: Kysely<Database>): Promise<TrialBalance['currencies']> {
  const { rows } = await sql<TrialBalance['currencies'][number]>`
    select account.currency,
      count(*) as accounts,
      coalesce(sum(entry.count), 0) as entries,
      coalesce(sum(entry.sum), 0) as sum,
      coalesce(sum(account.balance) filter (where account.kind in ('available', 'held')), 0) as owned
    from ledger_accounts account
    left join (
      select account_id, count(*) as count, sum(amount) as sum from ledger_entries group by account_id
    ) entry on entry.account_id = account.id
    group by account.currency order by account.currency`.execute(trx);
  return rows;
}

async function readDiscrepancies(trx: Kysely<Database>): Promise<TrialBalance['discrepancies']> {
  const { rows } = await sql<TrialBalance['discrepancies'][number]>`
    select account.id as account_id, account.balance, coalesce(entry.sum, 0) as entries
    from ledger_accounts account
    left join (
      select account_id, count(*) as count, sum(amount) as sum from ledger_entries group by account_id
    ) entry on entry.account_id = account.id
    left join ledger_entries newest on newest.account_id = account.id and newest.position = account.entries
    where (account.balance, account.entries, account.balance)
      is distinct from (coalesce(entry.sum, 0), coalesce(entry.count, 0), coalesce(newest.balance_after, 0))
    order by account.id limit ${LISTED}`.execute(trx);
  return rows;
}
