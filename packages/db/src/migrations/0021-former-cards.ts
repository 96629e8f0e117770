import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table former_cards (
      id text primary key,
      provider text not null check (provider in ('stripe', 'sandbox')),
      livemode boolean not null,
      tried_at timestamptz(3)
    )`.execute(db);
  await sql`create index former_cards_by_try on former_cards (tried_at nulls first)`.execute(db);
  // Of a charge that is on its way while this is applied nobody knows when it was asked for: now, at the latest.
  await sql`
    alter table subscriptions add column charge_asked_at timestamptz(3)`.execute(db);
  await sql`update subscriptions set charge_asked_at = now() where charging is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions drop column charge_asked_at`.execute(db);
  await sql`drop table former_cards`.execute(db);
}
