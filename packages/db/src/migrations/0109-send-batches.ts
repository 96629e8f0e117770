import { type Kysely, sql } from 'kysely';
import { GATEWAY_SEND, LEDGER_POST } from './0028-ledger-posting.ts';
import { JUDGED, JUDGED_WITH_CLOSED, judgeSends } from './0033-closed-accounts.ts';

/**
 * A batch of sends costs a few statements, however many sends it has: all is looked up at once, judged in memory, and
 * written at once. So do the triggers that answered each row by a statement of their own, where one for all says the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await LEDGER_POST_ALL.execute(db);
  await LEDGER_POST_OF_ALL.execute(db);
  await SEND_BATCH.execute(db);
  await answerStatements(db);
}

/**
 * `ledger_post_all(posted, texts, reversed, places, accounts, amounts, kinds, payments, max_funds)`: writes transactions
 * with the ids `posted`, the references `texts` and what each reverses, and their entries: one for each of `accounts`, of
 * the transaction that `places` counts from 1. Of several transactions all accounts have to be locked before; those of
 * one are locked in the order of their ids. Rejects as a broken check where somebody's account would hold more than
 * `max_funds` cents. Its plans outlive the time when the tables are small enough to be read whole, so it asks by index
 * alone.
 */
export const LEDGER_POST_ALL = sql`
  create function ledger_post_all(
    posted uuid[], texts text[], reversed uuid[], places integer[],
    accounts uuid[], amounts bigint[], kinds text[], payments uuid[], max_funds bigint)
  returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      insert into ledger_transactions (id, reference, reverses)
      select * from unnest(posted, texts, reversed);
      -- Each entry locks its account, and takes what is in it on from the entry before.
      insert into ledger_entries (transaction_id, account_id, amount, kind, payment_id)
      select posted[entry.place], entry.account_id, entry.amount, entry.kind, entry.payment_id
      from unnest(places, accounts, amounts, kinds, payments) as entry (place, account_id, amount, kind, payment_id)
      order by entry.place, entry.account_id;
      if exists (
        select from ledger_accounts a
        where a.id = any (accounts) and a.balance > max_funds and a.kind in ('available', 'held')
      ) then
        raise check_violation using message = 'an account would hold more than it may';
      end if;
    end
  $$`;

/** As 0028 says, by `ledger_post_all`. */
const LEDGER_POST_OF_ALL = sql`
  create or replace function ledger_post(
    reference text, accounts uuid[], amounts bigint[], kinds text[], payments uuid[], max_funds bigint,
    reverses uuid default null, posted uuid default uuid7())
  returns uuid
  language plpgsql as $$
    begin
      perform ledger_post_all(
        array[posted], array[reference], array[reverses], array_fill(1, array[cardinality(accounts)]),
        accounts, amounts, kinds, payments, max_funds);
      return posted;
    end
  $$`;

/**
 * `gateway_send(sends, max_funds)`: makes a batch of sends in one statement, each accepted or refused by itself, in their
 * order, as if each found what those before it had left. One send is an object `{owner_id, account_id, amount, number,
 * name, bank, description, reference, key, fingerprint, outside}`; `outside` says whether the caller carries on with one
 * that leaves this bank, else that is refused as `OUTSIDE` without a trace. A row comes back for each, numbered from 1:
 * the payment, or why there is none.
 *
 * All accounts are locked first, in the order of their ids, as whoever moves money does it: so nobody waits in a circle,
 * and what is read after that stays true until the commit. What the batch itself changes is followed in variables and
 * written at the end. The planner takes a batch for a hundred sends and would read all accounts rather than look some up:
 * everything that is asked here has an index.
 */
const SEND_BATCH = sql`
  create or replace function gateway_send(sends jsonb, max_funds bigint)
  returns table (n bigint, refusal text, replayed boolean, payment gateway_payments)
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
    declare
      send record;
      sender virtual_accounts;
      receiver virtual_accounts;
      within boolean;
      other_id uuid;
      receipt gateway_payments;
      receipt_id uuid;
      -- By ledger account, what the batch added to it so far.
      moved jsonb := '{}';
      -- By owner and key, what the batch answered so far: the fingerprint, and the refusal or the payment's place.
      answers jsonb := '{}';
      answer jsonb;
      -- Accounts of this batch that came to hold test funds.
      tested uuid[] := '{}';
      made gateway_payments[] := '{}';
      receipts gateway_payments[] := '{}';
      posted uuid[] := '{}';
      texts text[] := '{}';
      places integer[] := '{}';
      accounts uuid[] := '{}';
      amounts bigint[] := '{}';
      kinds text[] := '{}';
      payments uuid[] := '{}';
    begin
      perform from ledger_accounts
      where id = any (array(
        select unnest(array[a.available_id, a.held_id, b.available_id])
        from jsonb_to_recordset(sends) s (owner_id uuid, account_id uuid, number text)
        join virtual_accounts a on a.id = s.account_id and a.owner_id = s.owner_id
        left join virtual_accounts b on b.account_number = s.number))
      order by id for no key update;

      for send in
        select s.*, a as sender, b as receiver, from_a.balance as available,
          to_a.balance + to_h.balance as receiver_funds,
          p as earlier, k.key is not null as answered, k.fingerprint as answered_to, k.answer ->> 'refusal' as answered_by
        from rows from (jsonb_to_recordset(sends) as (
          owner_id uuid, account_id uuid, amount bigint, number text, name text, bank text, description text,
          reference text, key text, fingerprint text, outside boolean
        )) with ordinality as s (
          owner_id, account_id, amount, number, name, bank, description,
          reference, key, fingerprint, outside, n)
        left join virtual_accounts a on a.id = s.account_id and a.owner_id = s.owner_id
        left join virtual_accounts b on b.account_number = s.number
          and b.bank_key = lower(regexp_replace(s.bank, '[[:space:]]+', ' ', 'g'))
        left join ledger_accounts from_a on from_a.id = a.available_id
        left join ledger_accounts to_a on to_a.id = b.available_id
        left join ledger_accounts to_h on to_h.id = b.held_id
        left join gateway_payments p on p.owner_id = s.owner_id and p.idempotency_key = s.key
        left join idempotency_keys k
          on k.caller = s.owner_id::text and k.procedure = 'paymentGateway.send' and k.key = s.key
        order by s.n
      loop
        n := send.n;
        replayed := false;
        payment := send.earlier;
        answer := answers -> (send.owner_id || ' ' || send.key);
        if answer ? 'made' then payment := made[(answer ->> 'made')::integer]; end if;

        refusal := case
          when payment.id is not null then
            case when payment.fingerprint <> send.fingerprint then 'IDEMPOTENCY_KEY_REUSED' end
          when send.answered then
            case when send.answered_to = send.fingerprint then send.answered_by else 'IDEMPOTENCY_KEY_REUSED' end
          when answer is not null then
            case when answer ->> 'fingerprint' = send.fingerprint then answer ->> 'refusal'
              else 'IDEMPOTENCY_KEY_REUSED' end
        end;
        if payment.id is not null or refusal is not null then
          replayed := refusal is distinct from 'IDEMPOTENCY_KEY_REUSED';
          if refusal is not null then payment := null; end if;
          return next;
          continue;
        end if;

        sender := send.sender;
        receiver := send.receiver;
        within := receiver.id is not null;
        refusal := case
          when sender.id is null then 'NOT_FOUND'
          when sender.closed_at is not null then 'ACCOUNT_CLOSED'
          when receiver.id = sender.id then 'SAME_ACCOUNT'
          when receiver.closed_at is not null then 'NO_SUCH_ACCOUNT'
          when not within and not send.outside then 'OUTSIDE'
          when send.amount > send.available + coalesce((moved ->> sender.available_id::text)::bigint, 0)
            then 'INSUFFICIENT_FUNDS'
          when send.amount + send.receiver_funds + coalesce((moved ->> receiver.available_id::text)::bigint, 0)
            + coalesce((moved ->> receiver.held_id::text)::bigint, 0) > max_funds then 'LIMIT'
        end;
        if refusal is not null then
          if send.key is not null and refusal <> 'OUTSIDE' then
            answers := answers || jsonb_build_object(send.owner_id || ' ' || send.key,
              jsonb_build_object('caller', send.owner_id, 'key', send.key, 'fingerprint', send.fingerprint,
                'refusal', refusal));
          end if;
          return next;
          continue;
        end if;

        posted := array_append(posted, uuid7());
        payment.id := uuid7();
        payment.owner_id := send.owner_id;
        payment.virtual_account_id := sender.id;
        payment.type := 'send';
        payment.status := case when within then 'completed' else 'pending' end;
        payment.outside := not within;
        payment.reference := send.reference;
        payment.description := send.description;
        payment.amount := send.amount;
        payment.sender_account_name := sender.account_name;
        payment.sender_account_number := sender.account_number;
        payment.sender_bank_name := sender.bank_name;
        payment.receiver_account_name := send.name;
        payment.receiver_account_number := send.number;
        payment.receiver_bank_name := send.bank;
        payment.failure := '';
        payment.idempotency_key := send.key;
        payment.fingerprint := send.fingerprint;
        payment.hold_id := case when not within then posted[cardinality(posted)] end;
        payment.created_at := now();
        payment.settled_at := case when within then now() end;
        made := array_append(made, payment);
        if send.key is not null then
          answers := answers || jsonb_build_object(send.owner_id || ' ' || send.key,
            jsonb_build_object('made', cardinality(made)));
        end if;

        receipt_id := null;
        if within then
          receipt := payment;
          receipt.id := uuid7();
          receipt.owner_id := receiver.owner_id;
          receipt.virtual_account_id := receiver.id;
          receipt.type := 'receive';
          receipt.receiver_account_name := receiver.account_name;
          receipt.receiver_account_number := receiver.account_number;
          receipt.receiver_bank_name := receiver.bank_name;
          receipt.idempotency_key := null;
          receipt.fingerprint := null;
          receipts := array_append(receipts, receipt);
          receipt_id := receipt.id;
          if sender.holds_test_funds or sender.id = any (tested) then
            tested := array_append(tested, receiver.id);
          end if;
        end if;

        other_id := case when within then receiver.available_id else sender.held_id end;
        moved := moved || jsonb_build_object(
          sender.available_id, coalesce((moved ->> sender.available_id::text)::bigint, 0) - send.amount,
          other_id, coalesce((moved ->> other_id::text)::bigint, 0) + send.amount);
        texts := array_append(texts, send.reference);
        places := places || array[cardinality(posted), cardinality(posted)];
        accounts := accounts || array[sender.available_id, other_id];
        amounts := amounts || array[-send.amount, send.amount];
        kinds := kinds || array['sent', case when within then 'received' end];
        payments := payments || array[payment.id, receipt_id];
        return next;
      end loop;

      if answers <> '{}' then
        insert into idempotency_keys (caller, procedure, key, fingerprint, answer)
        select refused ->> 'caller', 'paymentGateway.send', refused ->> 'key', refused ->> 'fingerprint',
          jsonb_build_object('refusal', refused -> 'refusal')
        from jsonb_each(answers) as answered (of, refused)
        where refused ? 'refusal'
        on conflict do nothing;
      end if;
      if cardinality(made) > 0 then
        insert into gateway_payments select * from unnest(made || receipts);
        perform ledger_post_all(
          posted, texts, array_fill(null::uuid, array[cardinality(posted)]), places,
          accounts, amounts, kinds, payments, max_funds);
      end if;
      if cardinality(tested) > 0 then
        update virtual_accounts v set holds_test_funds = true where v.id = any (tested) and not v.holds_test_funds;
      end if;
    end
  $$`;

/** What each statement is answered by, where each row was. */
async function answerStatements(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger await_link on ledger_transactions`.execute(db);
  await sql`
    create or replace function await_ledger_link() returns trigger language plpgsql as $$
      begin
        insert into ledger_unlinked select id from inserted;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger await_link after insert on ledger_transactions
    referencing new table as inserted for each statement execute function await_ledger_link()`.execute(db);

  await sql`drop trigger guard_closed on gateway_payments`.execute(db);
  await sql`
    create or replace function guard_closed_account() returns trigger language plpgsql
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
      begin
        if exists (
          select from inserted i join virtual_accounts v on v.id = i.virtual_account_id where v.closed_at is not null
        ) then
          raise check_violation using message = 'the account is closed';
        end if;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger guard_closed after insert on gateway_payments
    referencing new table as inserted for each statement execute function guard_closed_account()`.execute(db);

  await sql`
    create function tell_new_payments() returns trigger language plpgsql as $$
      begin
        perform pg_notify('payment_changed', owner_id || ' ' || virtual_account_id)
        from (select distinct owner_id, virtual_account_id from inserted) changed;
        return null;
      end
    $$`.execute(db);
  await sql`drop trigger payment_changes on gateway_payments`.execute(db);
  await sql`
    create trigger payment_changes after update of status on gateway_payments
    for each row execute function tell_payment_change()`.execute(db);
  await sql`
    create trigger new_payments after insert on gateway_payments
    referencing new table as inserted for each statement execute function tell_new_payments()`.execute(db);
}

async function answerRows(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger new_payments on gateway_payments`.execute(db);
  await sql`drop function tell_new_payments`.execute(db);
  await sql`drop trigger payment_changes on gateway_payments`.execute(db);
  await sql`
    create trigger payment_changes after insert or update of status on gateway_payments
    for each row execute function tell_payment_change()`.execute(db);

  await sql`drop trigger guard_closed on gateway_payments`.execute(db);
  await sql`
    create or replace function guard_closed_account() returns trigger language plpgsql as $$
      begin
        if exists (select from virtual_accounts v where v.id = new.virtual_account_id and v.closed_at is not null) then
          raise check_violation using message = 'the account is closed';
        end if;
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger guard_closed before insert on gateway_payments
    for each row execute function guard_closed_account()`.execute(db);

  await sql`drop trigger await_link on ledger_transactions`.execute(db);
  await sql`
    create or replace function await_ledger_link() returns trigger language plpgsql as $$
      begin
        insert into ledger_unlinked values (new.id);
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger await_link before insert on ledger_transactions
    for each row execute function await_ledger_link()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await answerRows(db);
  await sql`drop function gateway_send(jsonb, bigint), ledger_post, ledger_post_all`.execute(db);
  await LEDGER_POST.execute(db);
  await GATEWAY_SEND.execute(db);
  await judgeSends(db, { before: JUDGED, after: JUDGED_WITH_CLOSED });
}
