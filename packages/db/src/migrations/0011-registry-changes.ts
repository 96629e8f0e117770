import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever changes what the registry's pages show also tells those who watch them: what is watched is listed here.
  await sql`
    create function tell_containers_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('containers_changed', owner_id::text)
        from container_repositories where id = coalesce(new.repository_id, old.repository_id);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger container_image_changes
    after insert or delete or update of digest, pushed_at, pull_count
    on container_images for each row execute function tell_containers_change()`.execute(db);
  // Referrers, too, which no tag names.
  await sql`
    create trigger container_manifest_changes
    after insert or delete
    on container_manifests for each row execute function tell_containers_change()`.execute(db);
  await sql`
    create function tell_visibility_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('containers_changed', new.owner_id::text);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger container_repository_changes
    after update of is_public
    on container_repositories for each row when (old.is_public <> new.is_public)
    execute function tell_visibility_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger container_repository_changes on container_repositories`.execute(db);
  await sql`drop trigger container_manifest_changes on container_manifests`.execute(db);
  await sql`drop trigger container_image_changes on container_images`.execute(db);
  await sql`drop function tell_visibility_change(), tell_containers_change()`.execute(db);
}
