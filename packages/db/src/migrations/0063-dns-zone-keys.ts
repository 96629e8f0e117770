import { type Kysely, sql } from 'kysely';

/** Keys that sign zones. Whoever changes them raises the zone's serial, which tells the name servers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dns_zone_keys (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      zone_id uuid not null references dns_zones on delete cascade,
      state text not null check (state in ('incoming', 'active', 'retiring')),
      since timestamptz(3) not null default now(),
      public_key text not null,
      sealed_key bytea not null,
      unique (zone_id, state)
    )`.execute(db);
  await sql`create index dns_zone_keys_of_owner on dns_zone_keys (owner_id)`.execute(db);
  await sql`create index dns_zone_keys_by_time on dns_zone_keys (state, since)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table dns_zone_keys`.execute(db);
}
