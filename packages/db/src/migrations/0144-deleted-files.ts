import { type Kysely, sql } from 'kysely';
import { indexAtLeisure } from './index-at-leisure.ts';

export const withoutTransaction = true;

/** What was deleted, by workspace: what lies in the trash, and what versions say of their keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const deleted = 'file_versions (owner_id, id desc) where trashed_at is not null or is_delete_marker';
  await indexAtLeisure(db, 'file_versions_deleted', deleted);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index file_versions_deleted`.execute(db);
}
