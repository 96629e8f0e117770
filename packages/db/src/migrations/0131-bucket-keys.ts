import { type Kysely, sql } from 'kysely';
import { indexAtLeisure } from './index-at-leisure.ts';

/** A table of files may be large, and the release before reads and writes it meanwhile. */
export const withoutTransaction = true;

/** Files at once: for that long the release before may have to wait. */
const BATCH = 500;

/** Gives files that were there before buckets their bucket, key and tag. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await indexAtLeisure(db, 'stored_files_by_key', 'stored_files (bucket_id, key)', { unique: true });
  await indexAtLeisure(db, 'stored_files_of_bucket', 'stored_files (bucket_id, id desc)');
  await createPlacing(db);
  for (let last: string | null | undefined = '00000000-0000-0000-0000-000000000000'; last; ) {
    const { rows } = await sql<{
      last: string | null;
    }>`select pg_temp.place_files(${last}::uuid) as last`.execute(db);
    last = rows[0]?.last;
  }
  await requirePlace(db);
}

/**
 * One by one, so that each sees the keys before it; the oldest gets the plain one. Rows are locked before their buckets, as
 * whoever renames a file does. Answers the last one, or null for none.
 */
async function createPlacing(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function pg_temp.place_files(after uuid) returns uuid language plpgsql as $$
      declare
        files stored_files[];
        file stored_files;
        bucket uuid;
        last uuid;
      begin
        select coalesce(array_agg(these), '{}') into files from (
          select * from stored_files where id > after and (bucket_id is null or etag is null)
          order by id limit ${sql.lit(BATCH)} for update
        ) these;
        foreach file in array files loop
          bucket := coalesce(file.bucket_id, uploads_bucket(file.owner_id));
          perform from buckets where id = bucket for no key update;
          update stored_files set bucket_id = bucket, etag = coalesce(file.etag, file.sha256 || '-1'),
            key = file_key(bucket, file.file_path, file.file_name, file.id)
          where id = file.id;
          last := file.id;
        end loop;
        return last;
      end
    $$`.execute(db);
}

/** By way of a constraint, which is looked at without keeping anybody out. */
async function requirePlace(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files drop constraint if exists stored_files_placed`.execute(db);
  await sql`
    alter table stored_files add constraint stored_files_placed
    check (bucket_id is not null and etag is not null) not valid`.execute(db);
  await sql`alter table stored_files validate constraint stored_files_placed`.execute(db);
  await sql`
    alter table stored_files alter column bucket_id set not null, alter column etag set not null,
      drop constraint stored_files_placed`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index stored_files_by_key, stored_files_of_bucket`.execute(db);
  await sql`
    alter table stored_files alter column bucket_id drop not null, alter column etag drop not null`.execute(
    db,
  );
}
