import { type Kysely, sql } from 'kysely';
import { createPaymentSandbox, dropPaymentSandbox } from './payment-sandbox.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSubscriptions(db);
  await openSystemAccounts(db);
  await createPayments(db);
  await createPaymentSandbox(db);
  await tellChanges(db);
}

/** Nothing here goes when a person goes: what was charged stays on the books. */
async function createSubscriptions(db: Kysely<unknown>): Promise<void> {
  // `charging` is the key of a renewal that the provider was asked for and whose outcome is not written down yet.
  await sql`
    create table subscriptions (
      id uuid primary key default uuid7(),
      user_id uuid not null references users,
      plan_tier text not null check (plan_tier in ('starter', 'professional', 'enterprise')),
      status text not null check (status in ('active', 'past_due', 'cancelled')),
      amount bigint not null check (amount > 0),
      anchor_day smallint not null check (anchor_day between 1 and 31),
      renewal_date timestamptz(3) not null,
      cancel_at_period_end boolean not null default false,
      charging text unique,
      failed_attempts integer not null default 0,
      failure text not null default '',
      past_due_since timestamptz(3),
      next_attempt timestamptz(3),
      cancelled_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      check ((cancelled_at is not null) = (status = 'cancelled')),
      check (charging is null or status <> 'cancelled'),
      check ((next_attempt is not null) = (status = 'past_due')),
      check ((past_due_since is not null) = (status = 'past_due'))
    )`.execute(db);
  await sql`
    create unique index one_live_subscription on subscriptions (user_id) where status <> 'cancelled'`.execute(
    db,
  );
  await sql`create index subscriptions_of_user on subscriptions (user_id, id desc)`.execute(db);
  await sql`
    create index subscriptions_due on subscriptions (coalesce(next_attempt, renewal_date))
    where status <> 'cancelled'`.execute(db);
  await createNextRenewal(db);
}

/**
 * The end of the period after the one that ends at `due`: the anchor's day of the next month, or that month's last day
 * where it has no such day, at the same time of day in UTC. Months that are over by now are left out.
 */
async function createNextRenewal(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function next_renewal(due timestamptz, anchor_day integer) returns timestamptz
    language plpgsql stable as $$
      declare
        month timestamp := date_trunc('month', due at time zone 'UTC');
        time_of_day interval := (due at time zone 'UTC') - date_trunc('day', due at time zone 'UTC');
        last_day integer;
        renewal timestamptz;
      begin
        loop
          month := month + interval '1 month';
          last_day := extract(day from month + interval '1 month' - interval '1 day');
          renewal := (month + make_interval(days => least(anchor_day, last_day) - 1) + time_of_day)
            at time zone 'UTC';
          exit when renewal > now();
        end loop;
        return renewal;
      end
    $$`.execute(db);
}

/** What cards are charged comes from `cards`, outside of this bank, and is `revenue`. */
async function openSystemAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_accounts drop constraint ledger_accounts_kind_check,
      add constraint ledger_accounts_kind_check check (kind in ('available', 'held', 'outside', 'revenue'))`.execute(
    db,
  );
  await sql`
    create table ledger_system_accounts (
      name text primary key check (name in ('cards', 'revenue')),
      account_id uuid not null unique references ledger_accounts
    )`.execute(db);
  for (const [name, kind] of [
    ['cards', 'outside'],
    ['revenue', 'revenue'],
  ]) {
    await sql`
      with opened as (insert into ledger_accounts (kind) values (${kind}) returning id)
      insert into ledger_system_accounts (name, account_id) select ${name}, id from opened`.execute(db);
  }
}

/** Intents are what was asked of the provider; payments are what became of them. */
async function createPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_customers (
      user_id uuid not null references users,
      provider text not null check (provider in ('stripe', 'sandbox')),
      livemode boolean not null default false,
      customer_id text not null unique,
      payment_method_id text,
      brand text,
      last4 text,
      expiry_month integer,
      expiry_year integer,
      primary key (user_id, provider, livemode)
    )`.execute(db);
  await sql`
    create table payment_intents (
      id text primary key,
      user_id uuid not null references users,
      provider text not null check (provider in ('stripe', 'sandbox')),
      plan_tier text not null check (plan_tier in ('starter', 'professional', 'enterprise')),
      amount bigint not null check (amount > 0),
      idempotency_key text,
      renews uuid references subscriptions,
      subscription_id uuid references subscriptions,
      paid_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index payment_intents_of_user on payment_intents (user_id, id)`.execute(db);
  await sql`
    create unique index payment_intents_by_key on payment_intents (user_id, idempotency_key)
    where idempotency_key is not null`.execute(db);
  await sql`
    create index payment_intents_unclaimed on payment_intents (created_at) where subscription_id is null`.execute(
    db,
  );
  await sql`create sequence invoice_numbers`.execute(db);
  await sql`
    create table payments (
      id uuid primary key default uuid7(),
      invoice_id text not null unique,
      user_id uuid not null references users,
      subscription_id uuid references subscriptions,
      intent_id text references payment_intents,
      ledger_transaction_id uuid unique references ledger_transactions,
      amount bigint not null check (amount > 0),
      payment_method text not null,
      status text not null check (status in ('completed', 'failed')),
      failure text not null default '',
      payment_date timestamptz(3),
      check ((failure <> '') = (status = 'failed')),
      check ((ledger_transaction_id is not null) = (status = 'completed'))
    )`.execute(db);
  await sql`
    create unique index one_payment_of_intent on payments (intent_id) where status = 'completed'`.execute(db);
  await sql`create index payments_of_user on payments (user_id, id desc)`.execute(db);
  await sql`
    create table webhook_events (
      id text primary key,
      type text not null,
      received_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index webhook_events_by_time on webhook_events (received_at)`.execute(db);
}

/** As `billing_changed`, with the person's id. */
async function tellChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_billing_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('billing_changed', new.user_id::text);
        return null;
      end
    $$`.execute(db);
  for (const table of ['subscriptions', 'payments', 'payment_customers']) {
    await sql`
      create trigger billing_changes after insert or update on ${sql.table(table)}
      for each row execute function tell_billing_change()`.execute(db);
  }
}

/** Refuses to go once a card was charged: the books are never rewritten. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await dropPaymentSandbox(db);
  await sql`drop table webhook_events, payments, payment_intents, payment_customers, subscriptions`.execute(
    db,
  );
  await sql`drop sequence invoice_numbers`.execute(db);
  await sql`drop function tell_billing_change, next_renewal`.execute(db);
  await sql`alter table ledger_accounts disable trigger guard_account`.execute(db);
  await sql`
    with closed as (delete from ledger_system_accounts returning account_id)
    delete from ledger_accounts where id in (select account_id from closed)`.execute(db);
  await sql`
    alter table ledger_accounts enable trigger guard_account,
      drop constraint ledger_accounts_kind_check,
      add constraint ledger_accounts_kind_check check (kind in ('available', 'held', 'outside'))`.execute(db);
  await sql`drop table ledger_system_accounts`.execute(db);
}
