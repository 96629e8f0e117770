import { type Kysely, sql } from 'kysely';

/** One more type of database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table managed_databases
      drop constraint managed_databases_type_check,
      add constraint managed_databases_type_check check (type in ('postgresql', 'mysql', 'mongodb', 'redis'))
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from managed_databases where type = 'redis'`.execute(db);
  await sql`
    alter table managed_databases
      drop constraint managed_databases_type_check,
      add constraint managed_databases_type_check check (type in ('postgresql', 'mysql', 'mongodb'))
  `.execute(db);
}
