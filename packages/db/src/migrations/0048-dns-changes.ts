import { type Kysely, sql } from 'kysely';

/** What each change of a domain's records added and removed, and by whom. It outlives the domain, not the account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dns_changes (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      domain text collate "C" not null,
      user_id uuid references users on delete set null,
      kind text not null check (kind in ('edit', 'import', 'revert')),
      serial bigint not null,
      added jsonb not null,
      added_count int not null generated always as (jsonb_array_length(added)) stored,
      removed jsonb not null,
      removed_count int not null generated always as (jsonb_array_length(removed)) stored,
      bytes int not null generated always as (octet_length(added::text) + octet_length(removed::text)) stored,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index dns_changes_of_owner on dns_changes (owner_id, id desc)`.execute(db);
  await sql`create index dns_changes_of_domain on dns_changes (owner_id, domain, id desc)`.execute(db);
  await sql`create index dns_changes_by_user on dns_changes (user_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table dns_changes`.execute(db);
}
