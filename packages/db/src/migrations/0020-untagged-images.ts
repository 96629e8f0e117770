import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // An untagged manifest is deleted in the console, where rows are known by their ids.
  await sql`
    alter table container_manifests
      add column id uuid not null default uuid7(),
      add column was_tagged boolean not null default false`.execute(db);
  await sql`create unique index container_manifests_by_id on container_manifests (id)`.execute(db);
  await sql`
    update container_manifests manifest set was_tagged = true
    from container_images image
    where image.repository_id = manifest.repository_id and image.digest = manifest.digest`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table container_manifests drop column was_tagged, drop column id`.execute(db);
}
