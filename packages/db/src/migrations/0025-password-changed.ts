import { type Kysely, sql } from 'kysely';

/** Whether a database's server was seen to refuse the password that we keep: its owner can change it there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table managed_databases add column password_changed boolean not null default false`.execute(
    db,
  );
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert or update of name, status, error, storage_size, password_changed
    on managed_databases for each row execute function tell_database_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert or update of name, status, error, storage_size
    on managed_databases for each row execute function tell_database_change()`.execute(db);
  await sql`alter table managed_databases drop column password_changed`.execute(db);
}
