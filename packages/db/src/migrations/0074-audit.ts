import { type Kysely, sql } from 'kysely';

/** Who did what. Records are written once; only their place in a chain is added, and none is taken away but the oldest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference to anything: a record outlives what it is about, and whoever did it.
  await sql`
    create table audit_records (
      id uuid primary key default uuid7(),
      at timestamptz(3) not null default clock_timestamp(),
      chain uuid not null,
      actor_id uuid,
      actor_email text not null,
      via text not null check (via in ('session', 'token', 'hook', 'system', 'none')),
      token_name text,
      as_whom uuid,
      ip text,
      request_id text,
      procedure text not null,
      subject_kind text not null,
      subject_id text,
      subject_name text,
      before jsonb,
      after jsonb,
      result text not null check (result in ('done', 'refused')),
      position bigint,
      hash bytea,
      check ((position is null) = (hash is null))
    )`.execute(db);
  await sql`create index audit_records_of_chain on audit_records (chain, id)`.execute(db);
  await sql`create index audit_records_of_kind on audit_records (chain, subject_kind, id)`.execute(db);
  await sql`create index audit_records_of_subject on audit_records (subject_id, id)`.execute(db);
  await sql`create index audit_records_of_actor on audit_records (actor_id, id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table audit_records`.execute(db);
}
