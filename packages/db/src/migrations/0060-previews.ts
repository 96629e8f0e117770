import { type Kysely, sql } from 'kysely';

/** Branches of a project's repository can have projects of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table preview_settings (
      project_id uuid primary key references projects on delete cascade,
      owner_id uuid not null references users on delete cascade,
      enabled boolean not null default false,
      branches text[] not null default '{*}',
      most integer not null default 5 check (most between 1 and 20),
      days integer not null default 14 check (days between 1 and 90),
      group_id uuid references variable_groups on delete set null
    )`.execute(db);
  await sql`create index preview_settings_of_owner on preview_settings (owner_id)`.execute(db);
  await sql`create index preview_settings_of_group on preview_settings (group_id)`.execute(db);
  await sql`
    create table previews (
      project_id uuid primary key references projects on delete cascade,
      owner_id uuid not null references users on delete cascade,
      parent_id uuid not null references projects on delete cascade,
      branch text not null,
      pull_request integer,
      commit text not null default '',
      pushed_at timestamptz(3) not null default clock_timestamp(),
      unique (parent_id, branch)
    )`.execute(db);
  await sql`create index previews_of_owner on previews (owner_id)`.execute(db);
  await sql`create index previews_by_push on previews (pushed_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table previews, preview_settings`.execute(db);
}
