import { type Kysely, sql } from 'kysely';

/** A workspace that was somebody's own and is handed over, or emptied in the background, outlives its person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await deleteWith(db, 'id = old.id and personal');
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await deleteWith(db, 'id = old.id');
}

async function deleteWith(db: Kysely<unknown>, condition: string): Promise<void> {
  await sql`
    create or replace function delete_personal_workspace() returns trigger language plpgsql as $$
      begin
        delete from users where service and id in (
          select user_id from workspace_members
          where workspace_id in (select id from workspaces where ${sql.raw(condition)}));
        delete from workspaces where ${sql.raw(condition)};
        return null;
      end
    $$`.execute(db);
}
