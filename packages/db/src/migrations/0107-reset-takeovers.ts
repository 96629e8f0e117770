import { type Kysely, sql } from 'kysely';

/** Links to set a password that also end what others have of the account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table password_resets add column takes_over boolean not null default false`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table password_resets drop column takes_over`.execute(db);
}
