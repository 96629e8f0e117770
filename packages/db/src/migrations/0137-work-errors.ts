import { type Kysely, sql } from 'kysely';

const BEFORE = 'name, status, error, storage_size, password_changed, activity, server_version, sleep_after';

/** Why what is being done with a database does not go on, which who looks at it is told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table managed_databases add column work_error text not null default ''`.execute(db);
  await tellOf(db, `${BEFORE}, work, work_percent, work_error`);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await tellOf(db, `${BEFORE}, work, work_percent`);
  await sql`alter table managed_databases drop column work_error`.execute(db);
}

async function tellOf(db: Kysely<unknown>, columns: string): Promise<void> {
  await sql`drop trigger database_changes on managed_databases`.execute(db);
  await sql`
    create trigger database_changes before delete or insert or update of ${sql.raw(columns)}
    on managed_databases for each row execute function tell_database_change()`.execute(db);
}
