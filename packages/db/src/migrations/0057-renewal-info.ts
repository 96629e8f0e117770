import { type Kysely, sql } from 'kysely';

/** The authority is asked when it wants a certificate renewed (RFC 9773). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table certificate_orders add column info_due_at timestamptz(3) not null default now()`.execute(db);
  await sql`create index certificate_orders_info_due on certificate_orders (info_due_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table certificate_orders drop column info_due_at`.execute(db);
}
