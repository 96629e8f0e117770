import { type Kysely, sql } from 'kysely';
import { createMeters, dropMeters } from './usage-meters.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference to the person: what a deleted one's resources write while they go would be refused.
  await sql`
    create table usage_meters (
      user_id uuid not null,
      resource_type text not null,
      resource_id uuid,
      level bigint not null check (level >= 0),
      since timestamptz not null,
      unique nulls not distinct (user_id, resource_type, resource_id)
    )`.execute(db);
  await sql`create index usage_meters_of_resource on usage_meters (resource_id)`.execute(db);
  await sql`
    create table usage_spans (
      id bigint generated always as identity primary key,
      user_id uuid not null,
      resource_type text not null,
      resource_id uuid,
      level bigint not null check (level > 0),
      began timestamptz not null,
      ended timestamptz not null,
      check (ended > began)
    )`.execute(db);
  await sql`create index usage_spans_by_end on usage_spans (ended)`.execute(db);
  await sql`
    create table usage_egress (
      project_id uuid not null,
      hour timestamptz(3) not null,
      user_id uuid not null,
      bytes bigint not null check (bytes >= 0),
      primary key (hour, project_id)
    )`.execute(db);
  await sql`
    create table server_uptimes (
      id uuid primary key,
      began timestamptz not null,
      beat_at timestamptz not null
    )`.execute(db);
  await sql`create index server_uptimes_by_beat on server_uptimes (beat_at)`.execute(db);
  await createRecords(db);
  await createMeters(db);
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  // The key of the hour is what makes metering happen once, however often and wherever it runs.
  await sql`
    create table usage_records (
      id uuid primary key default uuid7(),
      user_id uuid not null references users on delete cascade,
      resource_type text not null check (resource_type in ('deployment', 'database', 'storage', 'container', 'egress')),
      resource_id uuid,
      hour timestamptz(3) not null,
      amount double precision not null check (amount >= 0),
      cost double precision not null check (cost >= 0),
      unique nulls not distinct (user_id, resource_type, resource_id, hour)
    )`.execute(db);
  await sql`create index usage_records_of_user on usage_records (user_id, id desc)`.execute(db);
  await sql`
    create table usage_days (
      user_id uuid not null references users on delete cascade,
      day date not null,
      resource_type text not null,
      cost double precision not null,
      primary key (user_id, day, resource_type)
    )`.execute(db);
  await sql`
    create table usage_metering (
      only_row boolean primary key default true check (only_row),
      metered_until timestamptz(3) not null default date_trunc('hour', now(), 'UTC'),
      records bigint not null default 0
    )`.execute(db);
  await sql`insert into usage_metering default values`.execute(db);
  // Who writes a record also adds it up, so that no page has to count hours.
  await sql`
    create function add_up_usage() returns trigger language plpgsql as $$
      begin
        insert into usage_days as days (user_id, day, resource_type, cost)
        select user_id, (hour at time zone 'UTC')::date, resource_type, sum(cost)
        from changed group by 1, 2, 3 order by 1, 2, 3
        on conflict (user_id, day, resource_type) do update set cost = days.cost + excluded.cost;
        update usage_metering set records = records + (select count(*) from changed);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger usage_sums after insert on usage_records
    referencing new table as changed for each statement execute function add_up_usage()`.execute(db);
  await sql`
    create function forget_usage() returns trigger language plpgsql as $$
      begin
        update usage_metering set records = records - (select count(*) from changed);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger usage_loss after delete on usage_records
    referencing old table as changed for each statement execute function forget_usage()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await dropMeters(db);
  await sql`
    drop table usage_metering, usage_days, usage_records, server_uptimes, usage_egress, usage_spans, usage_meters`.execute(
    db,
  );
  await sql`drop function add_up_usage(), forget_usage()`.execute(db);
}
