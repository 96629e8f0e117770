import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
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
  await sql`create index usage_records_by_hour on usage_records (user_id, hour)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table usage_records`.execute(db);
}
