import { type Kysely, sql } from 'kysely';

/** When the saved card was last asked to pay an intent; null where that came to nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_intents add column paying_since timestamptz(3)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_intents drop column paying_since`.execute(db);
}
