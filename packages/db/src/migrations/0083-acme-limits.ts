import { type Kysely, sql } from 'kysely';

/** Attempts count for the authority that was asked, and for the domain that was registered; what an authority holds back is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Those without an authority count for each: another replica may not know this column yet.
  await sql`
    alter table acme_attempts
      add column directory text not null default '',
      add column registered_domain text not null default '',
      add column renews boolean not null default false`.execute(db);
  await sql`
    create index acme_attempts_of_registered_domain on acme_attempts (registered_domain, began_at)`.execute(
    db,
  );
  await sql`
    create table acme_holds (
      directory text not null,
      registered_domain text not null,
      until timestamptz(3) not null,
      words text not null,
      primary key (directory, registered_domain)
    )`.execute(db);
  await sql`create index acme_holds_by_time on acme_holds (until)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table acme_holds`.execute(db);
  await sql`
    alter table acme_attempts
      drop column directory, drop column registered_domain, drop column renews`.execute(db);
}
