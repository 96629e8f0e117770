import { type Kysely, sql } from 'kysely';

/** Cron jobs of projects, and the runs of these and of commands that people type. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cron_jobs (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      name text not null,
      schedule text not null,
      time_zone text not null,
      command text not null,
      time_limit integer not null check (time_limit > 0),
      enabled boolean not null,
      catch_up boolean not null,
      next_run_at timestamptz(3) check (enabled or next_run_at is null),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index cron_jobs_of_project on cron_jobs (project_id)`.execute(db);
  await sql`create index cron_jobs_of_owner on cron_jobs (owner_id)`.execute(db);
  await sql`create index cron_jobs_due on cron_jobs (next_run_at) where next_run_at is not null`.execute(db);

  await sql`
    create table app_runs (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      job_id uuid references cron_jobs on delete cascade,
      kind text not null check (kind in ('cron', 'command') and (kind = 'cron') = (job_id is not null)),
      cause text not null check (cause in ('schedule', 'catch-up', 'person')),
      command text not null,
      status text not null check (status in
        ('queued', 'running', 'succeeded', 'failed', 'timed-out', 'skipped', 'missed', 'cancelled')),
      exit_code integer,
      error text,
      time_limit integer not null,
      scheduled_for timestamptz(3),
      server text,
      lease_until timestamptz(3),
      cancel_requested boolean not null default false,
      log_seq integer not null default 0,
      log_bytes integer not null default 0,
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3),
      changed_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index app_runs_of_project on app_runs (project_id, id desc)`.execute(db);
  await sql`create index app_runs_of_job on app_runs (job_id, id desc)`.execute(db);
  await sql`create index app_runs_by_change on app_runs (project_id, changed_at)`.execute(db);
  await sql`create index app_runs_of_owner on app_runs (owner_id)`.execute(db);
  await sql`create index app_runs_unfinished on app_runs (id) where status in ('queued', 'running')`.execute(
    db,
  );
  // No two runs of a job at once, on whichever server.
  await sql`
    create unique index app_runs_without_overlap on app_runs (job_id)
    where status in ('queued', 'running')`.execute(db);
  await sql`
    create function tell_app_run_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          perform pg_notify('app_run_changed', old.project_id || ' ' || old.id || ' deleted');
          return old;
        end if;
        new.changed_at = clock_timestamp();
        perform pg_notify('app_run_changed', new.project_id || ' ' || new.id || ' ' || new.status);
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger app_run_changes before delete or insert or update of status
    on app_runs for each row execute function tell_app_run_change()`.execute(db);

  await sql`
    create table app_run_log (
      run_id uuid not null references app_runs on delete cascade,
      seq integer not null,
      stream text not null,
      text text not null,
      at timestamptz(3) not null default now(),
      primary key (run_id, seq)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app_run_log, app_runs, cron_jobs`.execute(db);
  await sql`drop function tell_app_run_change()`.execute(db);
}
