import { type Kysely, sql } from 'kysely';

/** Uploads in parts to an object store of another machine, which any server can go on with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table object_uploads (
      id uuid primary key,
      size bigint not null default 0,
      multipart_id text,
      parts text[] not null default '{}',
      rest_key text,
      is_finished boolean not null default false,
      holder uuid,
      held_until timestamptz(3),
      touched_at timestamptz(3) not null default clock_timestamp(),
      check ((holder is null) = (held_until is null))
    )`.execute(db);
  await sql`create index object_uploads_by_touch on object_uploads (touched_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table object_uploads`.execute(db);
}
