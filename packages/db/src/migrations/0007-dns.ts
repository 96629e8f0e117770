import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dns_zones (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      domain text collate "C" not null unique,
      serial bigint not null,
      verified_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index dns_zones_of_owner on dns_zones (owner_id)`.execute(db);
  // Finds the domains below one: backwards, they begin with it.
  await sql`create index dns_zones_by_parent on dns_zones (reverse(domain))`.execute(db);

  await sql`
    create table dns_records (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      zone_id uuid not null references dns_zones on delete cascade,
      name text collate "C" not null,
      record_type text not null check (record_type in ('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS')),
      value text collate "C" not null,
      ttl integer not null check (ttl between 60 and 604800),
      created_at timestamptz(3) not null default now(),
      unique (zone_id, name, record_type, value)
    )`.execute(db);
  await sql`create index dns_records_of_owner on dns_records (owner_id, id desc)`.execute(db);
  await sql`create index dns_records_of_zone on dns_records (zone_id, id desc)`.execute(db);

  // Whoever changes a zone (every change of its records raises its serial) tells the name servers of all replicas.
  await sql`
    create function tell_zone_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('dns_zone_changed', case when tg_op = 'DELETE' then old.domain else new.domain end);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger zone_changes after delete or insert or update
    on dns_zones for each row execute function tell_zone_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table dns_records, dns_zones`.execute(db);
  await sql`drop function tell_zone_change`.execute(db);
}
