import { type Kysely, sql } from 'kysely';
import { createGatewaySend } from './gateway-send.ts';

/**
 * Money is posted by one function, whoever moves it. What an account may hold comes as a parameter, since it is a bound
 * of the product: of the tables' own rules only those of double entry stay.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_accounts drop constraint funds,
      add constraint funds check (kind = 'outside' or balance >= 0)`.execute(db);
  // A payment is written before the transaction that holds its money.
  await sql`
    alter table gateway_payments drop constraint gateway_payments_amount_check,
      add constraint gateway_payments_amount_check check (amount > 0),
      alter constraint gateway_payments_hold_id_fkey deferrable initially deferred`.execute(db);
  await LEDGER_POST.execute(db);
  await GATEWAY_SEND.execute(db);
  await FORMER_SEND.execute(db);
}

/**
 * `ledger_post(reference, accounts, amounts, kinds, payments, max_funds, reverses, posted)`: writes a transaction with an
 * entry for each account, and gives its id. It locks the accounts in the order of their ids, as whoever moves money does.
 * Rejects as a broken check where somebody's account would hold more than `max_funds` cents. Its plans outlive the time
 * when the tables are small enough to be read whole, so it asks by index alone.
 */
export const LEDGER_POST = sql`
  create function ledger_post(
    reference text, accounts uuid[], amounts bigint[], kinds text[], payments uuid[], max_funds bigint,
    reverses uuid default null, posted uuid default uuid7())
  returns uuid
  language plpgsql set enable_seqscan = off as $$
    begin
      insert into ledger_transactions (id, reference, reverses) values (posted, reference, reverses);
      -- Each insert locks its account.
      insert into ledger_entries (transaction_id, account_id, amount, kind, payment_id)
      select posted, entry.account_id, entry.amount, entry.kind, entry.payment_id
      from unnest(accounts, amounts, kinds, payments) as entry (account_id, amount, kind, payment_id)
      order by entry.account_id;
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
 * `gateway_send(sends, max_funds)`: as `gateway-send.ts` says, but that the money is moved by `ledger_post` and an
 * account may hold `max_funds` cents. The planner takes a batch for a hundred sends and would read all accounts rather
 * than look some up: everything that is asked here has an index.
 */
export const GATEWAY_SEND = sql`
  create function gateway_send(sends jsonb, max_funds bigint)
  returns table (n bigint, refusal text, replayed boolean, payment gateway_payments)
  language plpgsql set enable_seqscan = off as $$
    declare
      send record;
      sender virtual_accounts;
      receiver virtual_accounts;
      moved_id uuid;
      received_id uuid;
    begin
      perform from ledger_accounts
      where id = any (array(
        select unnest(array[a.available_id, a.held_id, b.available_id])
        from jsonb_to_recordset(sends) s (owner_id uuid, account_id uuid, number text)
        join virtual_accounts a on a.id = s.account_id and a.owner_id = s.owner_id
        left join virtual_accounts b on b.account_number = s.number))
      order by id for no key update;

      for send in
        select * from rows from (jsonb_to_recordset(sends) as (
          owner_id uuid, account_id uuid, amount bigint, number text, name text, bank text, description text,
          reference text, key text, fingerprint text, outside boolean
        )) with ordinality as s (
          owner_id, account_id, amount, number, name, bank, description,
          reference, key, fingerprint, outside, n)
        order by s.n
      loop
        n := send.n;
        replayed := false;

        if send.key is not null then
          select * into payment from gateway_payments p
          where p.owner_id = send.owner_id and p.idempotency_key = send.key;
          refusal := case when payment.fingerprint <> send.fingerprint then 'IDEMPOTENCY_KEY_REUSED' end;
          if payment.id is null then
            select case when k.fingerprint = send.fingerprint then k.answer ->> 'refusal'
              else 'IDEMPOTENCY_KEY_REUSED' end
            into refusal from idempotency_keys k
            where k.caller = send.owner_id::text and k.procedure = 'paymentGateway.send' and k.key = send.key;
          end if;
          if payment.id is not null or refusal is not null then
            replayed := refusal is distinct from 'IDEMPOTENCY_KEY_REUSED';
            if refusal is not null then payment := null; end if;
            return next;
            continue;
          end if;
        end if;

        payment := null;
        select * into sender from virtual_accounts v
        where v.id = send.account_id and v.owner_id = send.owner_id;
        select * into receiver from virtual_accounts v
        where v.account_number = send.number
          and v.bank_key = lower(regexp_replace(send.bank, '[[:space:]]+', ' ', 'g'));

        refusal := case
          when sender.id is null then 'NOT_FOUND'
          when receiver.id = sender.id then 'SAME_ACCOUNT'
          when receiver.id is null and not send.outside then 'OUTSIDE'
          when send.amount > (select l.balance from ledger_accounts l where l.id = sender.available_id)
            then 'INSUFFICIENT_FUNDS'
          when send.amount + (select sum(l.balance) from ledger_accounts l
            where l.id in (receiver.available_id, receiver.held_id)) > max_funds then 'LIMIT'
        end;
        if refusal is not null then
          if send.key is not null and refusal <> 'OUTSIDE' then
            insert into idempotency_keys (caller, procedure, key, fingerprint, answer)
            values (send.owner_id::text, 'paymentGateway.send', send.key, send.fingerprint,
              jsonb_build_object('refusal', refusal))
            on conflict do nothing;
          end if;
          return next;
          continue;
        end if;

        moved_id := uuid7();
        insert into gateway_payments (
          owner_id, virtual_account_id, type, status, outside, reference, description, amount,
          sender_account_name, sender_account_number, sender_bank_name,
          receiver_account_name, receiver_account_number, receiver_bank_name,
          idempotency_key, fingerprint, hold_id, settled_at)
        values (
          send.owner_id, sender.id, 'send',
          case when receiver.id is null then 'pending' else 'completed' end,
          receiver.id is null, send.reference, send.description, send.amount,
          sender.account_name, sender.account_number, sender.bank_name,
          send.name, send.number, send.bank,
          send.key, send.fingerprint,
          case when receiver.id is null then moved_id end,
          case when receiver.id is not null then now() end)
        returning * into payment;

        if receiver.id is null then
          perform ledger_post(
            send.reference, array[sender.available_id, sender.held_id], array[-send.amount, send.amount],
            array['sent', null], array[payment.id, null], max_funds, posted => moved_id);
          return next;
          continue;
        end if;

        insert into gateway_payments (
          owner_id, virtual_account_id, type, status, outside, reference, description, amount,
          sender_account_name, sender_account_number, sender_bank_name,
          receiver_account_name, receiver_account_number, receiver_bank_name, settled_at)
        values (
          receiver.owner_id, receiver.id, 'receive', 'completed', false,
          send.reference, send.description, send.amount,
          sender.account_name, sender.account_number, sender.bank_name,
          receiver.account_name, receiver.account_number, receiver.bank_name, now())
        returning id into received_id;
        perform ledger_post(
          send.reference, array[sender.available_id, receiver.available_id], array[-send.amount, send.amount],
          array['sent', 'received'], array[payment.id, received_id], max_funds, posted => moved_id);
        if sender.holds_test_funds and not receiver.holds_test_funds then
          update virtual_accounts v set holds_test_funds = true where v.id = receiver.id;
        end if;
        return next;
      end loop;
    end
  $$`;

/** For servers of the release before, while they are replaced: with the bound that they know. */
export const FORMER_SEND = sql`
  create or replace function gateway_send(sends jsonb)
  returns table (n bigint, refusal text, replayed boolean, payment gateway_payments)
  language sql as $$ select * from gateway_send(sends, 9999999999999) $$`;

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function gateway_send(jsonb), gateway_send(jsonb, bigint), ledger_post`.execute(db);
  await createGatewaySend(db);
  await sql`alter function gateway_send(jsonb) set enable_seqscan = off`.execute(db);
  await sql`
    alter table gateway_payments drop constraint gateway_payments_amount_check,
      add constraint gateway_payments_amount_check check (amount between 1 and 99999999999),
      alter constraint gateway_payments_hold_id_fkey not deferrable`.execute(db);
  await sql`
    alter table ledger_accounts drop constraint funds,
      add constraint funds check (kind = 'outside' or balance between 0 and 9999999999999)`.execute(db);
}
