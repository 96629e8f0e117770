import { type Kysely, sql } from 'kysely';

/** What happened to a project. A trigger notifies `project_event` with "<project id> <event id>". */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_events (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      kind text not null check (kind in ('deployed', 'rolled-back', 'deploy-failed', 'started', 'restarted', 'stopped',
        'crashed', 'out-of-memory', 'scaled', 'cron-failed')),
      message text not null,
      deployment_id uuid references deployments on delete set null,
      process text,
      instance integer,
      exit_code integer,
      signal text,
      last_lines text not null default '',
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index project_events_of_project on project_events (project_id, id desc)`.execute(db);
  await sql`create index project_events_by_age on project_events (created_at)`.execute(db);
  await sql`create index project_events_of_owner on project_events (owner_id)`.execute(db);
  await sql`create index project_events_of_deployment on project_events (deployment_id)`.execute(db);
  await sql`
    create function tell_project_event() returns trigger language plpgsql as $$
      begin
        perform pg_notify('project_event', new.project_id || ' ' || new.id);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger project_events_told after insert on project_events
    for each row execute function tell_project_event()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table project_events`.execute(db);
  await sql`drop function tell_project_event()`.execute(db);
}
