import { type Kysely, sql } from 'kysely';

/** An own domain leads to a project's app, or to the site that a bucket is served as. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table custom_domains
      add column bucket_id uuid references buckets on delete cascade,
      alter column project_id drop not null,
      add constraint custom_domains_place check (num_nonnulls(project_id, bucket_id) = 1)`.execute(db);
  await sql`create index custom_domains_of_bucket on custom_domains (bucket_id, id)`.execute(db);
  // The release before reads again the domains of a project of that id, and finds none.
  await sql`
    create or replace function tell_custom_domain_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('custom_domain_changed', coalesce(
        new.project_id, new.bucket_id, old.project_id, old.bucket_id)::text);
      return null;
    end $$`.execute(db);
  await sql`
    create or replace function tell_domain_certificate_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('custom_domain_changed', coalesce(project_id, bucket_id)::text) from custom_domains
      where id = coalesce(new.domain_id, old.domain_id);
      return null;
    end $$`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from custom_domains where project_id is null`.execute(db);
  await sql`
    alter table custom_domains drop constraint custom_domains_place, drop column bucket_id,
      alter column project_id set not null`.execute(db);
}
