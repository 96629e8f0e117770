import { type Kysely, sql } from 'kysely';

/** How much memory, and how many connections, the server of a database is set up for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table managed_databases
      add column size_class text not null default 'small'
        check (size_class in ('small', 'medium', 'large'))`.execute(db);
  await sql`
    create trigger database_class_changes before update of size_class
    on managed_databases for each row execute function tell_database_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger database_class_changes on managed_databases`.execute(db);
  await sql`alter table managed_databases drop column size_class`.execute(db);
}
