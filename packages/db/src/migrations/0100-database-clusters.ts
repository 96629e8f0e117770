import { type Kysely, sql } from 'kysely';

/** What is known of a database's own server; databases of a server that others share have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table managed_databases
      add column activity text check (activity in ('asleep', 'waking', 'awake')),
      add column server_version text not null default '',
      add column sleep_after integer default 5 check (sleep_after > 0)`.execute(db);
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert
      or update of name, status, error, storage_size, password_changed, activity, server_version, sleep_after
    on managed_databases for each row execute function tell_database_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert or update of name, status, error, storage_size, password_changed
    on managed_databases for each row execute function tell_database_change()`.execute(db);
  await sql`
    alter table managed_databases
      drop column activity, drop column server_version, drop column sleep_after`.execute(db);
}
