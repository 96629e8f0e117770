import { type Kysely, sql } from 'kysely';

/** Shared workspaces that somebody may own, by the row of their own workspace, and previews in one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspace_limits
      add column workspaces int check (workspaces >= 0),
      add column previews int check (previews >= 0)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspace_limits drop column workspaces, drop column previews`.execute(db);
}
