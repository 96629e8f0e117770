import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nothing here goes when a person goes: what was charged stays on the books.
  await sql`
    create table subscriptions (
      id uuid primary key default uuid7(),
      user_id uuid not null references users,
      plan_tier text not null check (plan_tier in ('starter', 'professional', 'enterprise')),
      status text not null check (status in ('active', 'past_due', 'cancelled')),
      amount bigint not null check (amount > 0),
      renewal_date timestamptz(3) not null,
      cancel_at_period_end boolean not null default false,
      failed_attempts integer not null default 0,
      failure text not null default '',
      next_attempt timestamptz(3),
      cancelled_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      check ((cancelled_at is not null) = (status = 'cancelled')),
      check ((next_attempt is not null) = (status = 'past_due'))
    )`.execute(db);
  await sql`
    create unique index one_live_subscription on subscriptions (user_id) where status <> 'cancelled'`.execute(
    db,
  );
  await sql`create index subscriptions_of_user on subscriptions (user_id, id desc)`.execute(db);
  await sql`
    create index subscriptions_due on subscriptions (coalesce(next_attempt, renewal_date))
    where status <> 'cancelled'`.execute(db);
  await createPayments(db);
}

/** Intents are what was asked of the provider; payments are what became of them. */
async function createPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_customers (
      user_id uuid not null references users,
      provider text not null check (provider in ('stripe', 'sandbox')),
      customer_id text not null unique,
      payment_method_id text,
      brand text,
      last4 text,
      expiry_month integer,
      expiry_year integer,
      primary key (user_id, provider)
    )`.execute(db);
  await sql`
    create table payment_intents (
      id text primary key,
      user_id uuid not null references users,
      provider text not null check (provider in ('stripe', 'sandbox')),
      plan_tier text not null check (plan_tier in ('starter', 'professional', 'enterprise')),
      amount bigint not null check (amount > 0),
      renews uuid references subscriptions,
      subscription_id uuid references subscriptions,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index payment_intents_of_user on payment_intents (user_id, id)`.execute(db);
  await sql`create sequence invoice_numbers`.execute(db);
  await sql`
    create table payments (
      id uuid primary key default uuid7(),
      invoice_id text not null unique,
      user_id uuid not null references users,
      subscription_id uuid references subscriptions,
      intent_id text references payment_intents,
      amount bigint not null check (amount > 0),
      payment_method text not null,
      status text not null check (status in ('completed', 'failed')),
      failure text not null default '',
      payment_date timestamptz(3),
      check ((failure <> '') = (status = 'failed'))
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
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table webhook_events, payments, payment_intents, payment_customers, subscriptions`.execute(
    db,
  );
  await sql`drop sequence invoice_numbers`.execute(db);
}
