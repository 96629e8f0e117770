import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Links that are there already count as asked for now, so that none goes before its time.
  await sql`
    alter table container_blob_links add column asked_at timestamptz(3) not null default now()`.execute(db);
  await sql`
    create index container_references_by_digest on container_references (repository_id, digest)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index container_references_by_digest`.execute(db);
  await sql`alter table container_blob_links drop column asked_at`.execute(db);
}
