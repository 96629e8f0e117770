import { type Kysely, sql } from 'kysely';

/** A second factor can be demanded of everybody, or of a workspace's members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation_settings
    add column demands_second_factor boolean not null default false`.execute(db);
  await sql`
    alter table workspaces add column demands_second_factor boolean not null default false`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspaces drop column demands_second_factor`.execute(db);
  await sql`alter table installation_settings drop column demands_second_factor`.execute(db);
}
