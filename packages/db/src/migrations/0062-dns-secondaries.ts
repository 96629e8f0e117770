import { type Kysely, sql } from 'kysely';

/** Other name servers that copy a zone, and the key that signs what goes between them and us. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Raised with who may copy the zone: the trigger on zones tells the name servers of all replicas.
  await sql`alter table dns_zones add column transfer_version integer not null default 0`.execute(db);
  await sql`
    create table dns_transfer_keys (
      zone_id uuid primary key references dns_zones on delete cascade,
      owner_id uuid not null references users on delete cascade,
      name text collate "C" not null unique,
      sealed_secret bytea not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index dns_transfer_keys_of_owner on dns_transfer_keys (owner_id)`.execute(db);
  await sql`
    create table dns_secondaries (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      zone_id uuid not null references dns_zones on delete cascade,
      address text collate "C" not null,
      port integer not null check (port between 1 and 65535),
      told_serial bigint,
      tries integer not null default 0,
      due_at timestamptz(3) not null default now(),
      serial bigint,
      answered_at timestamptz(3),
      failing_since timestamptz(3),
      problem text not null default '',
      created_at timestamptz(3) not null default now(),
      unique (zone_id, address, port)
    )`.execute(db);
  await sql`create index dns_secondaries_of_owner on dns_secondaries (owner_id)`.execute(db);
  await sql`create index dns_secondaries_due on dns_secondaries (due_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table dns_secondaries, dns_transfer_keys`.execute(db);
  await sql`alter table dns_zones drop column transfer_version`.execute(db);
}
