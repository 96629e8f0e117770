import { type Kysely, sql } from 'kysely';

/** Certificates can be issued by an authority (RFC 8555), and renewed: of own domains, and of the server's own names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domain_certificates add column managed boolean not null default false`.execute(db);
  await sql`
    create table acme_accounts (
      directory text primary key,
      sealed_key bytea not null,
      url text,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`
    create table acme_attempts (
      id uuid primary key default uuid7(),
      owner_id uuid references users on delete set null,
      name text not null,
      succeeded boolean not null default false,
      began_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index acme_attempts_of_name on acme_attempts (name, began_at)`.execute(db);
  await sql`create index acme_attempts_of_owner on acme_attempts (owner_id, began_at)`.execute(db);
  await sql`create index acme_attempts_by_time on acme_attempts (began_at)`.execute(db);
  await sql`
    create table acme_challenges (
      id uuid primary key default uuid7(),
      name text not null,
      token text not null,
      answer text not null,
      zone_id uuid references dns_zones on delete cascade,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index acme_challenges_of_token on acme_challenges (token)`.execute(db);
  await sql`create index acme_challenges_of_zone on acme_challenges (zone_id)`.execute(db);
  await sql`create index acme_challenges_by_time on acme_challenges (created_at)`.execute(db);
  await sql`
    create table certificate_orders (
      id uuid primary key default uuid7(),
      name text not null,
      domain_id uuid unique references custom_domains on delete cascade,
      owner_id uuid references users on delete cascade,
      failures integer not null default 0 check (failures >= 0),
      error text not null default '',
      held_until timestamptz(3),
      due_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      check ((domain_id is null) = (owner_id is null))
    )`.execute(db);
  await sql`
    create unique index certificate_orders_of_server on certificate_orders (name)
    where domain_id is null`.execute(db);
  await sql`create index certificate_orders_of_owner on certificate_orders (owner_id)`.execute(db);
  await sql`create index certificate_orders_due on certificate_orders (due_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table certificate_orders`.execute(db);
  await sql`drop table acme_challenges`.execute(db);
  await sql`drop table acme_attempts`.execute(db);
  await sql`drop table acme_accounts`.execute(db);
  await sql`alter table domain_certificates drop column managed`.execute(db);
}
