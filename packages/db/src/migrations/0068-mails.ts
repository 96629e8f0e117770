import { type Kysely, sql } from 'kysely';

/** Mail waits in the database until a server for mail has taken it. What it says is gone once it has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key default uuid7(),
      once text unique,
      recipient text not null,
      content bytea,
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
      tries integer not null default 0,
      problem text not null default '',
      next_try timestamptz(3) not null default now(),
      send_until timestamptz(3) not null,
      tried_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      check ((content is null) = (state <> 'waiting'))
    )`.execute(db);
  await sql`create index mails_waiting on mails (next_try) where state = 'waiting'`.execute(db);
  await sql`create index mails_tried on mails (tried_at)`.execute(db);
  await sql`create index mails_created on mails (created_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table mails`.execute(db);
}
