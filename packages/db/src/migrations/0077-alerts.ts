import { type Kysely, sql } from 'kysely';

/** What somebody should look at. A trigger notifies `alert_changed` with the owner's id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alerts (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      kind text not null,
      subject_kind text not null,
      subject_id text not null,
      subject_name text not null,
      text text not null,
      path text not null,
      once text,
      count integer not null default 1,
      created_at timestamptz(3) not null default clock_timestamp(),
      last_at timestamptz(3) not null default clock_timestamp(),
      recovered_at timestamptz(3)
    )`.execute(db);
  await sql`create index alerts_of_owner on alerts (owner_id, id desc)`.execute(db);
  await sql`create index alerts_by_age on alerts (created_at)`.execute(db);
  await sql`create index alerts_of_subject on alerts (owner_id, subject_id, kind)`.execute(db);
  await sql`
    create unique index alerts_once on alerts (owner_id, kind, subject_id, once)
    where once is not null and recovered_at is null`.execute(db);
  await sql`
    create table alert_reads (
      alert_id uuid not null references alerts on delete cascade,
      user_id uuid not null references users on delete cascade,
      read_at timestamptz(3) not null default clock_timestamp(),
      primary key (alert_id, user_id)
    )`.execute(db);
  await sql`create index alert_reads_of_user on alert_reads (user_id)`.execute(db);
  await sql`
    create function tell_alert() returns trigger language plpgsql as $$
      begin
        perform pg_notify('alert_changed', new.owner_id::text);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger alerts_told after insert or update on alerts
    for each row execute function tell_alert()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table alert_reads, alerts`.execute(db);
  await sql`drop function tell_alert()`.execute(db);
}
