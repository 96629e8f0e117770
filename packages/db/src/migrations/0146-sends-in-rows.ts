import { type Kysely, sql } from 'kysely';
import { GUARD_CLOSED, LEDGER_POST_OF_ALL, SEND_BATCH } from './0109-send-batches.ts';
import { POST_ENTRIES } from './0112-entries-at-once.ts';

/**
 * A batch of sends is handed on as rows of the tables, so that it is judged and written by a few statements: what each
 * costs to begin is most of what a small batch costs. What rows of payments and entries refer to is looked up for all
 * rows of a statement, where a lock was taken for each; what is referred to is never deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await POST_ROWS.execute(db);
  await POST_ONE.execute(db);
  await SEND_ROWS.execute(db);
  await referWithoutLocks(db);
  await guardWithoutCalls(db);
}

/**
 * `ledger_post_rows(transactions, lines)`: writes transactions with their entries, which have neither position, balance
 * nor time yet. The accounts are locked in the order of their ids. Its plans outlive the time when the tables are small
 * enough to be read whole, so it asks by index alone.
 */
const POST_ROWS = sql`
  create function ledger_post_rows(transactions ledger_transactions[], lines ledger_entries[])
  returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      insert into ledger_transactions select * from unnest(transactions);
      with a as materialized (
        select * from ledger_accounts where id = any (array(select account_id from unnest(lines)))
        order by id for no key update
      )
      insert into ledger_entries
        (transaction_id, account_id, amount, kind, payment_id, position, balance_after, created_at)
      select entry.transaction_id, entry.account_id, entry.amount, entry.kind, entry.payment_id,
        a.entries + row_number() over earlier, a.balance + sum(entry.amount) over earlier,
        greatest(a.changed_at, (select clock_timestamp()))
      from unnest(lines) with ordinality as entry
        (account_id, position, transaction_id, amount, balance_after, kind, payment_id, created_at, place)
      left join a on a.id = entry.account_id
      window earlier as (partition by entry.account_id order by entry.place);
    end
  $$`;

/** As 0028 says, by `ledger_post_rows`. */
const POST_ONE = sql`
  create or replace function ledger_post(
    reference text, accounts uuid[], amounts bigint[], kinds text[], payments uuid[], max_funds bigint,
    reverses uuid default null, posted uuid default uuid7())
  returns uuid
  language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_post_rows(
        array[row(posted, reference, reverses, now())::ledger_transactions],
        array(
          select row(e.account_id, null, posted, e.amount, null, e.kind, e.payment_id, null)::ledger_entries
          from unnest(accounts, amounts, kinds, payments) as e (account_id, amount, kind, payment_id)));
      if exists (
        select from ledger_accounts a
        where a.id = any (accounts) and a.balance > max_funds and a.kind in ('available', 'held')
      ) then
        raise check_violation using message = 'an account would hold more than it may';
      end if;
      return posted;
    end
  $$`;

/**
 * `gateway_send(sends, max_funds)`: as 0109 says. All that a send may need is read and made by one statement: what was
 * answered to its key, what it is refused for whatever came before it, and the rows that it is if it is not. What
 * remains to be judged in order is whether a key came before in the batch, and what the batch moved so far.
 *
 * Rows are written out column by column: with another column of these tables this function has to be replaced.
 */
const SEND_ROWS = sql`
  create or replace function gateway_send(sends jsonb, max_funds bigint)
  returns table (n bigint, refusal text, replayed boolean, payment gateway_payments)
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
    declare
      send record;
      -- By ledger account, what the batch added to it so far.
      moved jsonb := '{}';
      -- What was answered to each send so far.
      refusals text[] := '{}';
      answers gateway_payments[] := '{}';
      made gateway_payments[] := '{}';
      transactions ledger_transactions[] := '{}';
      lines ledger_entries[] := '{}';
      refused idempotency_keys[] := '{}';
      -- Accounts of this batch that came to hold test funds.
      tested uuid[] := '{}';
    begin
      perform from ledger_accounts
      where id = any (array(
        select unnest(array[a.available_id, a.held_id, b.available_id])
        from jsonb_to_recordset(sends) s (owner_id uuid, account_id uuid, number text)
        join virtual_accounts a on a.id = s.account_id and a.owner_id = s.owner_id
        left join virtual_accounts b on b.account_number = s.number))
      order by id for no key update;

      for send in
        select s.n, s.owner_id, s.amount, s.key, s.fingerprint,
          array_agg(s.n) filter (where s.key is not null) over before as same,
          array_agg(s.fingerprint) filter (where s.key is not null) over before as same_fingerprints,
          case when p.fingerprint = s.fingerprint then p end as earlier,
          case when p.fingerprint <> s.fingerprint or k.fingerprint <> s.fingerprint then 'IDEMPOTENCY_KEY_REUSED'
            else k.answer ->> 'refusal' end as answer,
          case
            when a.id is null then 'NOT_FOUND'
            when a.closed_at is not null then 'ACCOUNT_CLOSED'
            when b.id = a.id then 'SAME_ACCOUNT'
            when b.closed_at is not null then 'NO_SUCH_ACCOUNT'
            when b.id is null and not s.outside then 'OUTSIDE'
          end as refusal,
          a.id as account_id, a.holds_test_funds, b.id as receiver_id,
          a.available_id as from_id, coalesce(b.available_id, a.held_id) as to_id, b.held_id as receiver_held_id,
          from_a.balance as available, to_a.balance + to_h.balance as receiver_funds,
          row(s.payment_id, s.owner_id, a.id, 'send', case when b.id is null then 'pending' else 'completed' end,
            b.id is null, s.reference, s.description, s.amount, a.account_name, a.account_number, a.bank_name,
            s.name, s.number, s.bank, '', s.key, s.fingerprint, case when b.id is null then s.posted end,
            now(), case when b.id is not null then now() end)::gateway_payments as sent,
          case when b.id is not null then
            row(s.receipt_id, b.owner_id, b.id, 'receive', 'completed', false, s.reference, s.description, s.amount,
              a.account_name, a.account_number, a.bank_name, b.account_name, b.account_number, b.bank_name,
              '', null, null, null, now(), now())::gateway_payments
          end as received,
          row(s.posted, s.reference, null, now())::ledger_transactions as transaction,
          array[
            row(a.available_id, null, s.posted, -s.amount, null, 'sent', s.payment_id, null)::ledger_entries,
            row(coalesce(b.available_id, a.held_id), null, s.posted, s.amount, null,
              case when b.id is not null then 'received' end, case when b.id is not null then s.receipt_id end, null
            )::ledger_entries] as lines
        from (
          select *, uuid7() as payment_id, uuid7() as receipt_id, uuid7() as posted
          from rows from (jsonb_to_recordset(sends) as (
            owner_id uuid, account_id uuid, amount bigint, number text, name text, bank text, description text,
            reference text, key text, fingerprint text, outside boolean
          )) with ordinality as given (
            owner_id, account_id, amount, number, name, bank, description,
            reference, key, fingerprint, outside, n)
          offset 0
        ) s
        left join virtual_accounts a on a.id = s.account_id and a.owner_id = s.owner_id
        left join virtual_accounts b on b.account_number = s.number
          and b.bank_key = lower(regexp_replace(s.bank, '[[:space:]]+', ' ', 'g'))
        left join ledger_accounts from_a on from_a.id = a.available_id
        left join ledger_accounts to_a on to_a.id = b.available_id
        left join ledger_accounts to_h on to_h.id = b.held_id
        left join gateway_payments p on p.owner_id = s.owner_id and p.idempotency_key = s.key
        left join idempotency_keys k
          on k.caller = s.owner_id::text and k.procedure = 'paymentGateway.send' and k.key = s.key
        window before as (
          partition by s.owner_id, s.key order by s.n rows between unbounded preceding and 1 preceding)
        order by s.n
      loop
        n := send.n;
        payment := send.earlier;
        refusal := send.answer;
        -- One with this key may have been made or refused a moment ago; what is OUTSIDE left no trace.
        if send.same is not null and payment is null and refusal is null then
          for place in 1 .. cardinality(send.same) loop
            continue when refusals[send.same[place]] = 'OUTSIDE';
            if send.same_fingerprints[place] = send.fingerprint then
              payment := answers[send.same[place]];
              refusal := refusals[send.same[place]];
            else
              refusal := 'IDEMPOTENCY_KEY_REUSED';
            end if;
            exit;
          end loop;
        end if;

        if payment is null and refusal is null then
          replayed := false;
          refusal := case
            when send.refusal is not null then send.refusal
            when send.amount > send.available + coalesce((moved ->> send.from_id::text)::bigint, 0)
              then 'INSUFFICIENT_FUNDS'
            when send.amount + send.receiver_funds + coalesce((moved ->> send.to_id::text)::bigint, 0)
              + coalesce((moved ->> send.receiver_held_id::text)::bigint, 0) > max_funds then 'LIMIT'
          end;
          if refusal is null then
            payment := send.sent;
            made := made || send.sent;
            if send.receiver_id is not null then made := made || send.received; end if;
            transactions := transactions || send.transaction;
            lines := lines || send.lines;
            moved := moved || jsonb_build_object(
              send.from_id, coalesce((moved ->> send.from_id::text)::bigint, 0) - send.amount,
              send.to_id, coalesce((moved ->> send.to_id::text)::bigint, 0) + send.amount);
            if send.receiver_id is not null and (send.holds_test_funds or send.account_id = any (tested)) then
              tested := tested || send.receiver_id;
            end if;
          elsif send.key is not null and refusal <> 'OUTSIDE' then
            refused := refused || row(send.owner_id::text, 'paymentGateway.send', send.key, send.fingerprint,
              jsonb_build_object('refusal', refusal), now())::idempotency_keys;
          end if;
        else
          replayed := refusal is distinct from 'IDEMPOTENCY_KEY_REUSED';
        end if;
        answers := array_append(answers, payment);
        refusals := array_append(refusals, refusal);
        return next;
      end loop;

      if cardinality(refused) > 0 then
        insert into idempotency_keys select * from unnest(refused) on conflict do nothing;
      end if;
      if cardinality(made) > 0 then
        insert into gateway_payments select * from unnest(made);
        perform ledger_post_rows(transactions, lines);
      end if;
      if cardinality(tested) > 0 then
        update virtual_accounts v set holds_test_funds = true where v.id = any (tested) and not v.holds_test_funds;
      end if;
    end
  $$`;

/** As 0112 says, and that the payments are there whose entries these are. */
const POST_REFERRING_ENTRIES = sql`
  create or replace function post_ledger_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      broken uuid;
      is_unpaid boolean;
      missed uuid;
    begin
      select i.transaction_id, bool_or(i.payment_id is not null and p.id is null) into broken, is_unpaid
      from inserted i
      left join ledger_transactions t on t.id = i.transaction_id
      left join gateway_payments p on p.id = i.payment_id
      group by i.transaction_id
      having count(*) < 2 or sum(i.amount) <> 0 or count(t.id) = 0 or count(i.payment_id) <> count(p.id)
      limit 1;
      if is_unpaid then
        raise foreign_key_violation using
          message = format('entries of ledger transaction %s are of a payment that is not there', broken);
      elsif broken is not null then
        raise integrity_constraint_violation using
          message = format('entries of ledger transaction %s are less than two, or do not sum to zero', broken);
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

/** A payment is of an account that its owner has, and that is open. */
const GUARD_PAYMENTS = sql`
  create or replace function guard_closed_account() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      is_missing boolean;
    begin
      select v.id is null into is_missing
      from inserted i
      left join virtual_accounts v on v.id = i.virtual_account_id and v.owner_id = i.owner_id
      where v.id is null or v.closed_at is not null
      limit 1;
      if is_missing then
        raise foreign_key_violation using message = 'the owner has no such account';
      elsif is_missing is not null then
        raise check_violation using message = 'the account is closed';
      end if;
      return null;
    end
  $$`;

async function referWithoutLocks(db: Kysely<unknown>): Promise<void> {
  await POST_REFERRING_ENTRIES.execute(db);
  await GUARD_PAYMENTS.execute(db);
  for (const [table, key] of [
    ['virtual_accounts', 'id, owner_id'],
    ['gateway_payments', 'id'],
  ] as const) {
    await sql`
      create trigger never_deleted before delete or truncate or update of ${sql.raw(key)} on ${sql.table(table)}
      for each statement execute function refuse_ledger_change()`.execute(db);
  }
  await sql`
    alter table gateway_payments drop constraint gateway_payments_virtual_account_id_owner_id_fkey`.execute(
    db,
  );
  await sql`alter table ledger_entries drop constraint ledger_entries_payment_id_fkey`.execute(db);
  // What is linked was read from the transactions, which are never deleted, and is compared with them by every check.
  await sql`alter table ledger_links drop constraint ledger_links_transaction_id_fkey`.execute(db);
}

/** What may be done to an account is seen by a condition, so that the function is called for what may not. */
async function guardWithoutCalls(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger guard_account on ledger_accounts`.execute(db);
  await sql`
    create trigger guard_account before insert or delete on ledger_accounts
    for each row execute function guard_ledger_account()`.execute(db);
  await sql`
    create trigger guard_change before update on ledger_accounts for each row
    when (pg_trigger_depth() = 0 or (new.id, new.kind, new.currency) <> (old.id, old.kind, old.currency))
    execute function guard_ledger_account()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger guard_change on ledger_accounts`.execute(db);
  await sql`drop trigger guard_account on ledger_accounts`.execute(db);
  await sql`
    create trigger guard_account before insert or update or delete on ledger_accounts
    for each row execute function guard_ledger_account()`.execute(db);

  await sql`alter table ledger_links add foreign key (transaction_id) references ledger_transactions`.execute(
    db,
  );
  await sql`alter table ledger_entries add foreign key (payment_id) references gateway_payments`.execute(db);
  await sql`
    alter table gateway_payments
      add foreign key (virtual_account_id, owner_id) references virtual_accounts (id, owner_id)`.execute(db);
  for (const table of ['virtual_accounts', 'gateway_payments']) {
    await sql`drop trigger never_deleted on ${sql.table(table)}`.execute(db);
  }
  await GUARD_CLOSED.execute(db);
  await sql`drop trigger post_entries on ledger_entries`.execute(db);
  await sql`drop function post_ledger_entries`.execute(db);
  await POST_ENTRIES.execute(db);
  await sql`
    create trigger post_entries after insert on ledger_entries
    referencing new table as inserted for each statement execute function post_ledger_entries()`.execute(db);

  await SEND_BATCH.execute(db);
  await LEDGER_POST_OF_ALL.execute(db);
  await sql`drop function ledger_post_rows`.execute(db);
}
