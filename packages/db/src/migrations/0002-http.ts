import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      caller text not null,
      procedure text not null,
      key text not null,
      fingerprint text not null,
      answer jsonb not null,
      created_at timestamptz(3) not null default now(),
      primary key (caller, procedure, key)
    )`.execute(db);
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db);

  await sql`
    create unlogged table rate_limits (
      key text primary key,
      count integer not null,
      window_ends timestamptz(3) not null
    )`.execute(db);
  await sql`create index rate_limits_by_end on rate_limits (window_ends)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table rate_limits, idempotency_keys`.execute(db);
}
