import { type Kysely, sql } from 'kysely';

/**
 * What a payment provider keeps, of the one that is in this process: test cards by name, never a number. A part of
 * migration 0015.
 */
export async function createPaymentSandbox(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_customers (
      id text primary key,
      idempotency_key text not null unique
    )`.execute(db);
  await sql`
    create table sandbox_cards (
      id text primary key,
      customer_id text not null references sandbox_customers,
      test_card text not null,
      brand text not null,
      last4 text not null,
      expiry_month integer not null,
      expiry_year integer not null
    )`.execute(db);
  await sql`
    create table sandbox_intents (
      id text primary key,
      customer_id text not null references sandbox_customers,
      idempotency_key text not null unique,
      status text not null check (status in ('requires_payment_method', 'requires_action', 'succeeded')),
      amount bigint not null,
      currency text not null default 'usd',
      livemode boolean not null default false,
      metadata jsonb not null,
      card_id text references sandbox_cards on delete set null,
      failure text not null default '',
      paid_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index sandbox_intents_of_card on sandbox_intents (card_id)`.execute(db);
}

export async function dropPaymentSandbox(db: Kysely<unknown>): Promise<void> {
  await sql`drop table sandbox_intents, sandbox_cards, sandbox_customers`.execute(db);
}
