import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mobile_apps (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      name text not null,
      platform text not null check (platform in ('android', 'ios', 'both')),
      bundle_id text not null,
      version text not null,
      build_number integer not null,
      android_min_sdk integer not null,
      android_target_sdk integer not null,
      ios_team_id text not null,
      deployment_method text not null check (deployment_method in ('manual', 'github', 'local')),
      repository_url text not null,
      branch text not null,
      build_status text not null default 'draft' check (build_status in ('draft', 'configured')),
      build_config jsonb,
      created_at timestamptz(3) not null default now(),
      check ((build_status = 'configured') = (build_config is not null))
    )`.execute(db);
  await sql`create index mobile_apps_of_owner on mobile_apps (owner_id, id desc)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table mobile_apps`.execute(db);
}
