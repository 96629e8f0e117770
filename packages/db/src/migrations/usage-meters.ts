import { type Kysely, sql } from 'kysely';

/**
 * What is metered tells so itself, in the transaction of its change: triggers keep each meter's level, and write down
 * the span during which it had the one before. Whatever code changes the resource, nothing is missed.
 */
export async function createMeters(db: Kysely<unknown>): Promise<void> {
  // Every instant of metering is read here, so that a test can tell the time.
  await sql`
    create function usage_clock() returns timestamptz language sql volatile as 'select clock_timestamp()'`.execute(
    db,
  );
  // The meter's row is the lock under which levels follow each other in time. A meter of something gone for good is
  // never begun again, so that whoever deletes an account leaves none behind.
  await sql`
    create function change_usage_level(owner uuid, kind text, resource uuid, change bigint)
    returns void language plpgsql as $$
      declare
        meter usage_meters;
        instant timestamptz;
      begin
        loop
          if change > 0 then
            insert into usage_meters values (owner, kind, resource, 0, usage_clock()) on conflict do nothing;
          end if;
          select * into meter from usage_meters
          where user_id = owner and resource_type = kind and resource_id is not distinct from resource for update;
          exit when found;
          if change <= 0 then return; end if;
        end loop;
        instant := greatest(usage_clock(), meter.since);
        if meter.level > 0 and instant > meter.since then
          insert into usage_spans (user_id, resource_type, resource_id, level, began, ended)
          values (owner, kind, resource, meter.level, meter.since, instant);
        end if;
        update usage_meters set level = greatest(meter.level + change, 0), since = instant
        where user_id = owner and resource_type = kind and resource_id is not distinct from resource;
      end
    $$`.execute(db);
  await meterApps(db);
  await meterDatabases(db);
  await meterFiles(db);
  await meterRepositories(db);
  await meterWhatIsThere(db);
}

async function meterApps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function meter_app() returns trigger language plpgsql as $$
      begin
        perform change_usage_level(coalesce(new.owner_id, old.owner_id), 'deployment', coalesce(new.id, old.id), change)
        from (select (new.live_deployment_id is not null)::int - (old.live_deployment_id is not null)::int as change) c
        where change <> 0;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger project_meter after insert or delete or update of live_deployment_id
    on projects for each row execute function meter_app()`.execute(db);
}

async function meterDatabases(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function meter_database() returns trigger language plpgsql as $$
      begin
        perform change_usage_level(coalesce(new.owner_id, old.owner_id), 'database', coalesce(new.id, old.id), change)
        from (
          select case when new.status = 'available' then new.storage_size else 0 end
            - case when old.status = 'available' then old.storage_size else 0 end as change
        ) c
        where change <> 0;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger database_meter after insert or delete or update of status, storage_size
    on managed_databases for each row execute function meter_database()`.execute(db);
}

/** A person's files together; a file's bytes never change. */
async function meterFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function meter_files() returns trigger language plpgsql as $$
      begin
        perform change_usage_level(owner_id, 'storage', null, bytes) from (
          select owner_id, sum(file_size)::bigint * case tg_op when 'INSERT' then 1 else -1 end as bytes
          from changed group by owner_id order by owner_id
        ) c;
        return null;
      end
    $$`.execute(db);
  await meterStatements(db, 'stored_files', 'meter_files');
}

/** Blobs that can be seen in a repository, and its manifests. A blob of two repositories counts in both. */
async function meterRepositories(db: Kysely<unknown>): Promise<void> {
  // A deleted repository is known by its meter alone.
  await sql`
    create function change_repository_level(repository uuid, change bigint) returns void language sql as $$
      select change_usage_level(owner_id, 'container', repository, change) from (
        select owner_id from container_repositories where id = repository
        union select user_id from usage_meters where resource_type = 'container' and resource_id = repository
      ) owners
    $$`.execute(db);
  await sql`
    create function meter_blobs() returns trigger language plpgsql as $$
      begin
        perform change_repository_level(repository_id, bytes) from (
          select repository_id, sum(size)::bigint * case tg_op when 'INSERT' then 1 else -1 end as bytes
          from changed join container_blobs using (digest) group by repository_id order by repository_id
        ) c;
        return null;
      end
    $$`.execute(db);
  await sql`
    create function meter_manifests() returns trigger language plpgsql as $$
      begin
        perform change_repository_level(repository_id, bytes) from (
          select repository_id, sum(size)::bigint * case tg_op when 'INSERT' then 1 else -1 end as bytes
          from changed group by repository_id order by repository_id
        ) c;
        return null;
      end
    $$`.execute(db);
  await meterStatements(db, 'container_blob_links', 'meter_blobs');
  await meterStatements(db, 'container_manifests', 'meter_manifests');
}

/** Once per statement, so that a thousand rows that go together are one change of their meter. */
async function meterStatements(db: Kysely<unknown>, table: string, meter: string): Promise<void> {
  for (const [event, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`
      create trigger ${sql.ref(`${table}_${event}_meter`)} after ${sql.raw(event)} on ${sql.ref(table)}
      referencing ${sql.raw(rows)} table as changed for each statement execute function ${sql.ref(meter)}()`.execute(
      db,
    );
  }
}

/** An installation that is older than metering. */
async function meterWhatIsThere(db: Kysely<unknown>): Promise<void> {
  await sql`
    select change_usage_level(owner_id, 'deployment', id, 1) from projects
    where live_deployment_id is not null`.execute(db);
  await sql`
    select change_usage_level(owner_id, 'database', id, storage_size) from managed_databases
    where status = 'available'`.execute(db);
  await sql`
    select change_usage_level(owner_id, 'storage', null, bytes)
    from (select owner_id, sum(file_size)::bigint as bytes from stored_files group by owner_id) f`.execute(
    db,
  );
  await sql`
    select change_repository_level(repository_id, bytes) from (
      select repository_id, sum(size)::bigint as bytes from (
        select repository_id, size from container_blob_links join container_blobs using (digest)
        union all select repository_id, size from container_manifests
      ) kept group by repository_id
    ) r`.execute(db);
}

export async function dropMeters(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function usage_clock(), change_usage_level(uuid, text, uuid, bigint),
      change_repository_level(uuid, bigint)`.execute(db);
  await sql`
    drop function meter_app(), meter_database(), meter_files(), meter_blobs(), meter_manifests() cascade`.execute(
    db,
  );
}
