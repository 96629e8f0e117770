import { type Kysely, sql } from 'kysely';

/** A project can be told of pushes to its repository, and keeps what became of each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_hooks (
      project_id uuid primary key references projects on delete cascade,
      owner_id uuid not null references users on delete cascade,
      secret bytea,
      enabled_at timestamptz(3),
      paths text[] not null default '{}',
      check ((secret is null) = (enabled_at is null))
    )`.execute(db);
  await sql`create index push_hooks_of_owner on push_hooks (owner_id)`.execute(db);
  await sql`
    create table push_deliveries (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      delivery_id text,
      sender text not null,
      event text not null,
      branch text not null,
      commit text not null,
      result text not null check (result in ('deployed', 'ignored', 'refused')),
      reason text not null,
      deployment_id uuid references deployments on delete set null,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index push_deliveries_of_project on push_deliveries (project_id, id desc)`.execute(db);
  await sql`create index push_deliveries_of_owner on push_deliveries (owner_id)`.execute(db);
  await sql`create index push_deliveries_of_deployment on push_deliveries (deployment_id)`.execute(db);
  // However often it is sent, one delivery deploys once.
  await sql`
    create unique index push_deliveries_deployed on push_deliveries (project_id, delivery_id)
    where result = 'deployed'`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table push_deliveries`.execute(db);
  await sql`drop table push_hooks`.execute(db);
}
