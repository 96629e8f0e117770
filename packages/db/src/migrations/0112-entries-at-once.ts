import { type Kysely, sql } from 'kysely';
import { LEDGER_POST_ALL } from './0109-send-batches.ts';

/**
 * Entries move their accounts' balances and are checked statement by statement, where each did by itself: an account is
 * written once for all entries that a statement adds to it. What a statement adds to a transaction has to sum to zero, so
 * that every transaction does; only that one has entries at all is found at the commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger post_entry on ledger_entries`.execute(db);
  await sql`drop function post_ledger_entry`.execute(db);
  await sql`drop trigger balanced on ledger_entries`.execute(db);
  // The new trigger asks for both, and neither an account nor a transaction is ever deleted.
  await sql`
    alter table ledger_entries drop constraint ledger_entries_account_id_fkey,
      drop constraint ledger_entries_transaction_id_fkey`.execute(db);
  await POST_ENTRIES.execute(db);
  await sql`
    create trigger post_entries after insert on ledger_entries
    referencing new table as inserted for each statement execute function post_ledger_entries()`.execute(db);
  await POST_WITH_PLACES.execute(db);
}

/**
 * Takes entries into their accounts: they have to go on from the last of them, place by place and balance by balance, and
 * never below zero but in an account of kind `outside`.
 */
const POST_ENTRIES = sql`
  create function post_ledger_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      unbalanced uuid;
      missed uuid;
    begin
      select i.transaction_id into unbalanced
      from inserted i left join ledger_transactions t on t.id = i.transaction_id
      group by i.transaction_id
      having count(*) < 2 or sum(i.amount) <> 0 or count(t.id) = 0
      limit 1;
      if unbalanced is not null then
        raise integrity_constraint_violation using
          message = format('entries of ledger transaction %s are less than two, or do not sum to zero', unbalanced);
      end if;

      with placed as (
        select account_id, position, amount, balance_after, created_at,
          balance_after - sum(amount) over (partition by account_id order by position) as balance_before
        from inserted
      ), added as (
        select account_id, count(*) as entries, sum(amount) as amount, max(created_at) as at,
          min(position) as first, max(position) as last, min(balance_after) as lowest,
          min(balance_before) as least_before, max(balance_before) as most_before
        from placed group by account_id
      ), taken as (
        update ledger_accounts a
        set balance = a.balance + added.amount, entries = added.last, changed_at = added.at
        from added
        where a.id = added.account_id
          and added.first = a.entries + 1 and added.last = a.entries + added.entries
          and added.least_before = a.balance and added.most_before = a.balance
          and added.at >= a.changed_at
          -- What ends below zero is refused by the account's own check.
          and (added.lowest >= 0 or a.kind = 'outside' or a.balance + added.amount < 0)
        returning a.id
      )
      select added.account_id into missed from added
      where not exists (select from taken where taken.id = added.account_id)
      limit 1;
      if missed is not null then
        raise integrity_constraint_violation using
          message = format('entries do not go on from the last one of ledger account %s', missed);
      end if;
      return null;
    end
  $$`;

/** As 0109 says; accounts are locked in the order of their ids, also by itself. */
const POST_WITH_PLACES = sql`
  create or replace function ledger_post_all(
    posted uuid[], texts text[], reversed uuid[], places integer[],
    accounts uuid[], amounts bigint[], kinds text[], payments uuid[], max_funds bigint)
  returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      insert into ledger_transactions (id, reference, reverses)
      select * from unnest(posted, texts, reversed);
      -- Locked and read once, whatever joins the caller's settings leave.
      with a as materialized (
        select * from ledger_accounts where id = any (accounts) order by id for no key update
      )
      insert into ledger_entries
        (transaction_id, account_id, amount, kind, payment_id, position, balance_after, created_at)
      select posted[entry.place], entry.account_id, entry.amount, entry.kind, entry.payment_id,
        a.entries + row_number() over earlier, a.balance + sum(entry.amount) over earlier,
        greatest(a.changed_at, (select clock_timestamp()))
      from unnest(places, accounts, amounts, kinds, payments) as entry (place, account_id, amount, kind, payment_id)
      left join a on a.id = entry.account_id
      window earlier as (partition by entry.account_id order by entry.place);
      if exists (
        select from ledger_accounts a
        where a.id = any (accounts) and a.balance > max_funds and a.kind in ('available', 'held')
      ) then
        raise check_violation using message = 'an account would hold more than it may';
      end if;
    end
  $$`;

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function ledger_post_all`.execute(db);
  await LEDGER_POST_ALL.execute(db);
  await sql`drop trigger post_entries on ledger_entries`.execute(db);
  await sql`drop function post_ledger_entries`.execute(db);
  await sql`
    alter table ledger_entries add foreign key (account_id) references ledger_accounts,
      add foreign key (transaction_id) references ledger_transactions`.execute(db);
  await sql`
    create constraint trigger balanced after insert on ledger_entries deferrable initially deferred
    for each row execute function assert_ledger_balanced()`.execute(db);
  await sql`
    create function post_ledger_entry() returns trigger language plpgsql as $$
      begin
        update ledger_accounts
        set balance = balance + new.amount,
          entries = entries + 1,
          changed_at = greatest(changed_at, clock_timestamp())
        where id = new.account_id
        returning entries, balance, changed_at into new.position, new.balance_after, new.created_at;
        if not found then
          raise foreign_key_violation using message = 'no ledger account ' || new.account_id;
        end if;
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger post_entry before insert on ledger_entries
    for each row execute function post_ledger_entry()`.execute(db);
}
