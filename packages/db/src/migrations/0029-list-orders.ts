import { type Kysely, sql } from 'kysely';

/** For lists in another order than by age, where an account may have thousands of rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index projects_by_name on projects (owner_id, lower(name), id)`.execute(db);
  await sql`create index stored_files_by_name on stored_files (owner_id, lower(file_name), id)`.execute(db);
  await sql`create index stored_files_by_size on stored_files (owner_id, file_size, id)`.execute(db);
  await sql`create index mobile_apps_by_name on mobile_apps (owner_id, lower(name), id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index projects_by_name, stored_files_by_name, stored_files_by_size, mobile_apps_by_name`.execute(
    db,
  );
}
