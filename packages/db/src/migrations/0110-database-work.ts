import { type Kysely, sql } from 'kysely';

/** What is being done with the whole of a database, such as a restore, and how far it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table managed_databases
      add column work text check (work in ('restoring', 'swapping', 'importing', 'moving')),
      add column work_percent integer check (work_percent between 0 and 100),
      add column work_cancelled boolean not null default false`.execute(db);
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert
      or update of name, status, error, storage_size, password_changed, activity, server_version, sleep_after,
        work, work_percent
    on managed_databases for each row execute function tell_database_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert
      or update of name, status, error, storage_size, password_changed, activity, server_version, sleep_after
    on managed_databases for each row execute function tell_database_change()`.execute(db);
  await sql`
    alter table managed_databases
      drop column work, drop column work_percent, drop column work_cancelled`.execute(db);
}
