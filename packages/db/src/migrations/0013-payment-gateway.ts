import { type Kysely, sql } from 'kysely';
import { createGatewaySend } from './gateway-send.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nothing here goes when a person goes: whoever has an account of the ledger cannot be deleted.
  await sql`
    create table virtual_accounts (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users,
      account_name text not null,
      bank_name text not null,
      bank_key text not null generated always as (lower(regexp_replace(bank_name, '[[:space:]]+', ' ', 'g'))) stored,
      account_number text not null unique,
      currency text not null default 'USD' check (currency = 'USD'),
      available_id uuid not null unique references ledger_accounts,
      held_id uuid not null unique references ledger_accounts,
      outside_id uuid not null unique references ledger_accounts,
      holds_test_funds boolean not null default false,
      created_at timestamptz(3) not null default now(),
      unique (id, owner_id)
    )`.execute(db);
  await sql`create index virtual_accounts_of_owner on virtual_accounts (owner_id, id desc)`.execute(db);
  await createPayments(db);
  await sql`
    create table beneficiaries (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      account_name text not null,
      account_number text not null,
      bank_name text not null,
      bank_code text not null,
      created_at timestamptz(3) not null default now(),
      unique (owner_id, account_number, bank_name)
    )`.execute(db);
  await sql`create index beneficiaries_of_owner on beneficiaries (owner_id, id desc)`.execute(db);
  await createGatewaySend(db);
}

/** A payment as its owner sees it: one between two of our accounts has a row for each side. */
async function createPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateway_payments (
      id uuid primary key default uuid7(),
      owner_id uuid not null,
      virtual_account_id uuid not null,
      type text not null check (type in ('send', 'receive')),
      status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
      outside boolean not null,
      reference text not null,
      description text not null,
      amount bigint not null check (amount between 1 and 99999999999),
      sender_account_name text not null,
      sender_account_number text not null,
      sender_bank_name text not null,
      receiver_account_name text not null,
      receiver_account_number text not null,
      receiver_bank_name text not null,
      failure text not null default '',
      idempotency_key text,
      fingerprint text,
      hold_id uuid unique references ledger_transactions,
      created_at timestamptz(3) not null default now(),
      settled_at timestamptz(3),
      foreign key (virtual_account_id, owner_id) references virtual_accounts (id, owner_id),
      unique (reference, type),
      check (status = 'completed' or (outside and type = 'send')),
      check ((settled_at is null) = (status in ('pending', 'processing'))),
      check ((failure <> '') = (status = 'failed')),
      check ((hold_id is not null) = (outside and type = 'send'))
    )`.execute(db);
  await sql`create index gateway_payments_of_owner on gateway_payments (owner_id, id desc)`.execute(db);
  await sql`
    create unique index gateway_payments_by_key on gateway_payments (owner_id, idempotency_key)
    where idempotency_key is not null`.execute(db);
  await sql`
    create index gateway_payments_under_way on gateway_payments (id)
    where status in ('pending', 'processing')`.execute(db);
  await sql`
    create function tell_payment_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('payment_changed', new.owner_id || ' ' || new.virtual_account_id);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger payment_changes after insert or update of status on gateway_payments
    for each row execute function tell_payment_change()`.execute(db);
  await sql`
    alter table ledger_entries add foreign key (payment_id) references gateway_payments`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function gateway_send`.execute(db);
  await sql`drop table beneficiaries`.execute(db);
  await sql`drop table gateway_payments, virtual_accounts cascade`.execute(db);
  await sql`drop function tell_payment_change`.execute(db);
}
