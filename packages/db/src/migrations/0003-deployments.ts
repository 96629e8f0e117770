import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table projects (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      name text not null,
      description text not null,
      repository_url text not null,
      branch text not null,
      framework text not null,
      health_path text not null default '',
      slug text not null unique,
      account integer generated always as identity unique,
      live_deployment_id uuid,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index projects_of_owner on projects (owner_id, id desc)`.execute(db);

  await sql`
    create table project_variables (
      project_id uuid not null references projects on delete cascade,
      name text not null,
      value bytea not null,
      updated_at timestamptz(3) not null default now(),
      primary key (project_id, name)
    )`.execute(db);

  await sql`
    create table deployments (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      status text not null default 'queued' check (status in
        ('queued', 'building', 'deploying', 'running', 'failed', 'stopped', 'cancelled')),
      step text check (step in ('clone', 'detect', 'install', 'build', 'start', 'health', 'switch')),
      error text,
      repository_url text not null,
      branch text not null,
      framework text not null,
      health_path text not null,
      variables jsonb not null,
      commit text,
      commit_message text,
      rollback_of uuid references deployments on delete set null,
      release_kept boolean not null default false,
      cancel_requested boolean not null default false,
      attempts integer not null default 0,
      log_seq integer not null default 0,
      log_bytes integer not null default 0,
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3),
      changed_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index deployments_of_project on deployments (project_id, id desc)`.execute(db);
  await sql`create index deployments_of_owner on deployments (owner_id)`.execute(db);
  await sql`create index deployments_by_release on deployments (rollback_of)`.execute(db);
  await sql`
    create index deployments_unfinished on deployments (id)
    where status in ('queued', 'building', 'deploying', 'running')`.execute(db);
  // Whoever changes what a deployment shows also tells those who watch it: the watched columns are listed once, here.
  await sql`
    create function tell_deployment_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          perform pg_notify('deployment_changed', old.project_id || ' ' || old.id);
          return old;
        end if;
        new.changed_at = clock_timestamp();
        perform pg_notify('deployment_changed', new.project_id || ' ' || new.id);
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger deployment_changes
    before delete or insert or update of status, step, error, commit, commit_message, release_kept, started_at, finished_at
    on deployments for each row execute function tell_deployment_change()`.execute(db);
  await sql`
    alter table projects add constraint projects_live_deployment
    foreign key (live_deployment_id) references deployments on delete set null`.execute(db);
  await sql`create index projects_by_live_deployment on projects (live_deployment_id)`.execute(db);

  await sql`
    create table deployment_log (
      deployment_id uuid not null references deployments on delete cascade,
      seq integer not null,
      stream text not null,
      text text not null,
      at timestamptz(3) not null default now(),
      primary key (deployment_id, seq)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects drop constraint projects_live_deployment`.execute(db);
  await sql`drop table deployment_log, deployments, project_variables, projects`.execute(db);
  await sql`drop function tell_deployment_change()`.execute(db);
}
