import { type Kysely, sql } from 'kysely';

/**
 * Unfinished uploads count against the storage of a plan. `reserve_upload` is one round trip, so that the account is
 * held no longer than the statement takes: in a push, many uploads ask at the same time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table container_uploads
      add column size bigint not null default 0,
      add column touched_at timestamptz(3) not null default now()`.execute(db);
  await sql`drop index container_uploads_by_age`.execute(db);
  await sql`create index container_uploads_by_touch on container_uploads (touched_at)`.execute(db);
  await sql`
    create function storage_of(owner uuid, out stored bigint, out unfinished bigint) language sql stable as $$
      select
        (select coalesce(sum(level), 0) from usage_meters
          where user_id = owner and resource_type in ('storage', 'container'))::bigint,
        (select coalesce(sum(size), 0) from container_uploads where owner_id = owner)::bigint
    $$`.execute(db);
  await sql`
    create function reserve_upload(upload uuid, owner uuid, least_size bigint, most_size bigint, holds bigint)
    returns bigint language plpgsql as $$
      declare
        reserved bigint;
      begin
        perform from users where id = owner for no key update;
        update container_uploads
        set size = least(most_size, size + room), touched_at = now()
        from (select greatest(holds - stored - unfinished, 0) as room from storage_of(owner)) as free
        where owner_id = owner and id = upload and least(most_size, size + room) >= least_size
        returning size into reserved;
        return reserved;
      end
    $$`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function reserve_upload, storage_of`.execute(db);
  await sql`alter table container_uploads drop column size, drop column touched_at`.execute(db);
  await sql`create index container_uploads_by_age on container_uploads (created_at)`.execute(db);
}
