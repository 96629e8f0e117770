import { type Kysely, sql } from 'kysely';

/** Own domains have certificates. Whoever changes one tells all replicas, as of the domain itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table domain_certificates (
      domain_id uuid primary key references custom_domains on delete cascade,
      owner_id uuid not null references users on delete cascade,
      chain text not null,
      sealed_key bytea not null,
      issuer text not null,
      ends_at timestamptz(3) not null,
      https_only boolean not null default true,
      updated_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index domain_certificates_of_owner on domain_certificates (owner_id)`.execute(db);
  await sql`
    create function tell_domain_certificate_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('custom_domain_changed', project_id::text) from custom_domains
      where id = coalesce(new.domain_id, old.domain_id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger domain_certificate_changes
    after insert or delete or update on domain_certificates
    for each row execute function tell_domain_certificate_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table domain_certificates`.execute(db);
  await sql`drop function tell_domain_certificate_change()`.execute(db);
}
