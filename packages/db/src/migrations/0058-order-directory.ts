import { type Kysely, sql } from 'kysely';

/** It is known from which authority a certificate is, so that another one in the settings issues it anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table certificate_orders add column directory text`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table certificate_orders drop column directory`.execute(db);
}
