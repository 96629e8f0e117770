import { type Kysely, sql } from 'kysely';

/** The server's own names have certificates. Whoever changes one tells all replicas. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table own_certificates (
      name text primary key,
      chain text not null,
      sealed_key bytea not null,
      issuer text not null,
      ends_at timestamptz(3) not null,
      updated_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`
    create function tell_own_certificate_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('own_certificate_changed', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger own_certificate_changes
    after insert or delete or update on own_certificates
    for each statement execute function tell_own_certificate_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table own_certificates`.execute(db);
  await sql`drop function tell_own_certificate_change()`.execute(db);
}
