import { type Kysely, sql } from 'kysely';

/**
 * For workspaces with thousands of members: the order of their list, and those who can change the code that is run, whom
 * every call looks for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index workspace_members_by_age on workspace_members (workspace_id, joined_at, user_id)`.execute(
    db,
  );
  await sql`
    create index workspace_members_builders on workspace_members (workspace_id, user_id)
    where role in ('owner', 'admin', 'developer')`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index workspace_members_by_age, workspace_members_builders`.execute(db);
}
