import { type Kysely, sql } from 'kysely';

export const withoutTransaction = true;

/** What was deleted, by workspace: what lies in the trash, and what versions say of their keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists file_versions_deleted`.execute(db);
  await sql`
    create index concurrently file_versions_deleted on file_versions (owner_id, id desc)
    where trashed_at is not null or is_delete_marker`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index file_versions_deleted`.execute(db);
}
