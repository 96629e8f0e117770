import { allowSeconds, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** What must find nothing, whatever happened: each query selects what breaks its rule. */
const RULES: Record<string, ReturnType<typeof sql>> = {
  'the entries of a transaction sum to zero and are two or more': sql`
    select t.id from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
    group by t.id having count(e.amount) < 2 or sum(e.amount) <> 0`,
  'a balance is the sum of its entries and what its last one says': sql`
    select a.id from ledger_accounts a
    left join lateral (
      select count(*) as count, coalesce(sum(amount), 0) as sum from ledger_entries where account_id = a.id
    ) e on true
    left join ledger_entries last on last.account_id = a.id and last.position = a.entries
    where a.balance <> e.sum or a.entries <> e.count or a.balance <> coalesce(last.balance_after, 0)`,
  'every entry carries the balance of the one before it on, in time': sql`
    select account_id from (
      select account_id, position, amount, balance_after, created_at,
        lag(balance_after, 1, 0::bigint) over account as before,
        lag(created_at) over account as earlier,
        row_number() over account as expected
      from ledger_entries window account as (partition by account_id order by position)
    ) e
    where balance_after <> before + amount or position <> expected or created_at < earlier`,
  'only what is outside is below zero': sql`
    select id from ledger_accounts where balance < 0 and kind <> 'outside'`,
  'what is held is what is on its way': sql`
    select v.id from virtual_accounts v join ledger_accounts held on held.id = v.held_id
    left join gateway_payments p on p.virtual_account_id = v.id and p.status in ('pending', 'processing')
    group by v.id, held.balance having held.balance <> coalesce(sum(p.amount), 0)`,
  'a closed account is empty, and nothing moved after it was closed': sql`
    select v.id from virtual_accounts v
    join ledger_accounts a on a.id in (v.available_id, v.held_id)
    left join ledger_entries e on e.account_id = a.id and e.created_at > v.closed_at
    where v.closed_at is not null and (a.balance <> 0 or e.account_id is not null)`,
  'a payment has the entries that its status says': sql`
    select p.id from gateway_payments p left join ledger_entries e on e.payment_id = p.id
    group by p.id
    having coalesce(string_agg(e.kind || e.amount, ' ' order by e.position), '') <>
      case when p.type = 'receive' then 'received' || p.amount
        when p.status in ('failed', 'cancelled') then 'sent-' || p.amount || ' returned' || p.amount
        else 'sent-' || p.amount end`,
  'a payment within this bank has both of its sides': sql`
    select reference from gateway_payments where not outside
    group by reference having array_agg(type order by type desc) <> array['send', 'receive']
      or count(distinct amount) <> 1`,
  'a key had one effect': sql`
    select idempotency_key from gateway_payments where idempotency_key is not null
    group by owner_id, idempotency_key having count(*) > 1`,
  'all money came from outside': sql`
    select sum(balance) from ledger_accounts having sum(balance) <> 0`,
};

/** The rules that the ledger breaks: none, at any moment. */
export async function faultsOfLedger(db: Kysely<Database>): Promise<string[]> {
  const questions = Object.entries(RULES).map(
    ([rule, query]) => sql`(select ${rule} || ': ' || to_jsonb(q) as fault from (${query}) q limit 3)`,
  );
  return db.transaction().execute(async (trx) => {
    // A history may be long.
    await allowSeconds(trx, 0);
    const { rows } = await sql<{ fault: string }>`${sql.join(questions, sql` union all `)}`.execute(trx);
    return rows.map(({ fault }) => fault);
  });
}
