import { type Kysely, sql } from 'kysely';

/** Who pushed is known of a push that is followed only after a restart as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pending_pushes add column pushed_by jsonb`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pending_pushes drop column pushed_by`.execute(db);
}
