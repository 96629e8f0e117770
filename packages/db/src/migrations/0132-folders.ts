import { type Kysely, sql } from 'kysely';

/** Lists of one bucket or one folder. A path of more than 1,024 bytes is in no index: searches find its files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index stored_files_of_folder on stored_files (bucket_id, file_path collate "C", id desc)
    where octet_length(file_path) <= 1024`.execute(db);
  await sql`create index stored_files_of_bucket_by_name on stored_files (bucket_id, lower(file_name), id)`.execute(
    db,
  );
  await sql`create index stored_files_of_bucket_by_size on stored_files (bucket_id, file_size, id)`.execute(
    db,
  );
  await sql`alter table stored_files add column share_nonce int not null default 0`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files drop column share_nonce`.execute(db);
  await sql`
    drop index stored_files_of_folder, stored_files_of_bucket_by_name, stored_files_of_bucket_by_size`.execute(
    db,
  );
}
