import { type Kysely, sql } from 'kysely';

/** Projects have domains of their own. Whoever changes where one leads tells all replicas, with the project's id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table custom_domains (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      domain text not null,
      is_primary boolean not null,
      redirects boolean not null default false,
      proven_at timestamptz(3),
      problem text check (problem in ('missing', 'mismatch', 'unreachable', 'taken')),
      failures integer not null default 0 check (failures >= 0),
      server_addresses text[] not null default '{}',
      points_here boolean,
      checked_at timestamptz(3),
      next_check_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      unique (owner_id, domain),
      check (not (is_primary and redirects))
    )`.execute(db);
  await sql`
    create unique index custom_domains_proven on custom_domains (domain)
    where proven_at is not null`.execute(db);
  await sql`
    create unique index custom_domains_primary on custom_domains (project_id) where is_primary`.execute(db);
  await sql`create index custom_domains_of_project on custom_domains (project_id, id)`.execute(db);
  await sql`create index custom_domains_due on custom_domains (next_check_at)`.execute(db);
  await sql`
    create function tell_custom_domain_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('custom_domain_changed', coalesce(new.project_id, old.project_id)::text);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger custom_domain_changes
    after insert or delete or update of project_id, is_primary, redirects, proven_at
    on custom_domains for each row execute function tell_custom_domain_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table custom_domains`.execute(db);
  await sql`drop function tell_custom_domain_change()`.execute(db);
}
