import { type Kysely, sql } from 'kysely';

/** What an administrator sets for one owner in the place of the plan's limits; null: as the plan, or everybody, has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspace_limits (
      owner_id uuid primary key references workspaces on delete cascade,
      projects int check (projects >= 0),
      databases int check (databases >= 0),
      dns_zones int check (dns_zones >= 0),
      virtual_accounts int check (virtual_accounts >= 0),
      storage bigint check (storage >= 0),
      changed_at timestamptz(3) not null default now(),
      changed_by uuid references users on delete set null
    )`.execute(db);
  await sql`create index workspace_limits_by_admin on workspace_limits (changed_by)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table workspace_limits`.execute(db);
}
