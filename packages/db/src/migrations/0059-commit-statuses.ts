import { type Kysely, sql } from 'kysely';

/** Git hosts are told what became of a project's commits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table commit_statuses (
      project_id uuid primary key references projects on delete cascade,
      owner_id uuid not null references users on delete cascade,
      deployment_id uuid not null references deployments on delete cascade,
      state text not null check (state in ('pending', 'success', 'failure')),
      problem text not null,
      told_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index commit_statuses_of_owner on commit_statuses (owner_id)`.execute(db);
  await sql`create index commit_statuses_of_deployment on commit_statuses (deployment_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table commit_statuses`.execute(db);
}
