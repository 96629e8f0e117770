import { type Kysely, sql } from 'kysely';

/**
 * `gateway_send(sends)`: makes a batch of sends in one statement, each accepted or refused by itself, in their order.
 * One send is an object `{owner_id, account_id, amount, number, name, bank, description, reference, key, fingerprint,
 * outside}`; `outside` says whether the caller carries on with one that leaves this bank, else that is refused as
 * `OUTSIDE` without a trace. A row comes back for each, numbered from 1: the payment, or why there is none.
 *
 * All accounts are locked first, in the order of their ids, as whoever moves money does it: so nobody waits in a
 * circle, and what is read after that stays true until the commit.
 */
export async function createGatewaySend(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function gateway_send(sends jsonb)
    returns table (n bigint, refusal text, replayed boolean, payment gateway_payments)
    language plpgsql as $$
      declare
        send record;
        sender virtual_accounts;
        receiver virtual_accounts;
        received_id uuid;
        moved_id uuid;
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
              where l.id in (receiver.available_id, receiver.held_id)) > 9999999999999 then 'LIMIT'
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

          insert into ledger_transactions (reference) values (send.reference) returning id into moved_id;
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
            insert into ledger_entries (transaction_id, account_id, amount, kind, payment_id) values
              (moved_id, sender.available_id, -send.amount, 'sent', payment.id),
              (moved_id, sender.held_id, send.amount, null, null);
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
          insert into ledger_entries (transaction_id, account_id, amount, kind, payment_id) values
            (moved_id, sender.available_id, -send.amount, 'sent', payment.id),
            (moved_id, receiver.available_id, send.amount, 'received', received_id);
          if sender.holds_test_funds and not receiver.holds_test_funds then
            update virtual_accounts v set holds_test_funds = true where v.id = receiver.id;
          end if;
          return next;
        end loop;
      end
    $$`.execute(db);
}
