import { type Kysely, sql } from 'kysely';
import { indexAtLeisure } from './index-at-leisure.ts';

/** A table of files may be large, and the release before reads and writes it meanwhile. */
export const withoutTransaction = true;

/** Lists of one bucket or one folder. A path of more than 1,024 bytes is in no index: searches find its files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const ofFolder =
    'stored_files (bucket_id, file_path collate "C", id desc) where octet_length(file_path) <= 1024';
  await indexAtLeisure(db, 'stored_files_of_folder', ofFolder);
  await indexAtLeisure(
    db,
    'stored_files_of_bucket_by_name',
    'stored_files (bucket_id, lower(file_name), id)',
  );
  await indexAtLeisure(db, 'stored_files_of_bucket_by_size', 'stored_files (bucket_id, file_size, id)');
  await sql`alter table stored_files add column if not exists share_nonce int not null default 0`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files drop column share_nonce`.execute(db);
  await sql`
    drop index stored_files_of_folder, stored_files_of_bucket_by_name, stored_files_of_bucket_by_size`.execute(
    db,
  );
}
