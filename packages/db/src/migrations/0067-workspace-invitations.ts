import { type Kysely, sql } from 'kysely';

/** Links by which people join a workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspace_invitations (
      id uuid primary key default uuid7(),
      workspace_id uuid not null references workspaces on delete cascade,
      hash text not null unique,
      email text check (email = lower(email)),
      role text not null check (role in ('owner', 'admin', 'developer', 'viewer', 'billing')),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      used_by uuid references users on delete set null,
      revoked_at timestamptz(3),
      revoked_by uuid references users on delete set null,
      check (used_at is null or revoked_at is null)
    )`.execute(db);
  await sql`
    create index workspace_invitations_open on workspace_invitations (workspace_id, id desc)
    where used_at is null and revoked_at is null`.execute(db);
  for (const column of ['workspace_id', 'created_by', 'used_by', 'revoked_by']) {
    await sql`
      create index ${sql.ref(`workspace_invitations_${column}`)}
      on workspace_invitations (${sql.ref(column)})`.execute(db);
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table workspace_invitations`.execute(db);
}
