import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files add column uploaded_at timestamptz(3) not null default now()`.execute(
    db,
  );
  await sql`update stored_files set uploaded_at = created_at`.execute(db);
  // By a digest: a path may be longer than what an index holds of a row.
  await sql`create index stored_files_of_path on stored_files (owner_id, md5(file_path || file_name))`.execute(
    db,
  );
  await sql`
    create function meter_replaced_file() returns trigger language plpgsql as $$
      begin
        perform change_usage_level(new.owner_id, 'storage', null, new.file_size - old.file_size);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger stored_files_update_meter after update of file_size on stored_files
    for each row when (new.file_size <> old.file_size) execute function meter_replaced_file()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger stored_files_update_meter on stored_files`.execute(db);
  await sql`drop function meter_replaced_file()`.execute(db);
  await sql`drop index stored_files_of_path`.execute(db);
  await sql`alter table stored_files drop column uploaded_at`.execute(db);
}
