import { type Kysely, sql } from 'kysely';

/** Bytes of S3's longest key, which an index can hold. A longer path has no key, and S3 clients do not see it. */
const MAX_KEY = 1024;

/** What a file and a former version of one have alike: how its bytes are stored, and what S3 clients say of them. */
const CONTENT = sql`
  pieces jsonb,
  etag text not null,
  checksum jsonb,
  metadata jsonb not null default '{}',
  tags jsonb not null default '{}'`;

/** Buckets, and what S3 clients know of a file: of those that were there before, the next step sees to that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createBuckets(db);
  await createKeys(db);
  await createVersions(db);
  await createMultipartUploads(db);
  await createAccessKeys(db);
}

async function createBuckets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table buckets (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      name text not null check (name ~ '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'),
      is_public boolean not null default false,
      versioning text not null default 'off' check (versioning in ('off', 'enabled', 'suspended')),
      cors jsonb,
      lifecycle jsonb,
      site jsonb,
      created_at timestamptz(3) not null default clock_timestamp(),
      unique (owner_id, name)
    )`.execute(db);
  // Each workspace has a bucket for the console's files; any other name is one bucket's alone, as everywhere with S3.
  await sql`create unique index buckets_by_name on buckets (name) where name <> 'uploads'`.execute(db);
  await sql`
    create function uploads_bucket(owner uuid) returns uuid language plpgsql as $$
      declare
        found_id uuid;
      begin
        loop
          select id into found_id from buckets where owner_id = owner and name = 'uploads';
          if found then return found_id; end if;
          insert into buckets (owner_id, name) values (owner, 'uploads') on conflict do nothing;
        end loop;
      end
    $$`.execute(db);
}

/**
 * A file's key is its path and name. Names are not unique, so of several files in one place the later ones get keys that
 * are numbered; the trigger sees to it for whoever names none.
 */
async function createKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table stored_files
      add column bucket_id uuid references buckets on delete cascade,
      add column key text collate "C",
      add column version_id uuid,
      add column pieces jsonb,
      add column etag text,
      add column checksum jsonb,
      add column metadata jsonb not null default '{}',
      add column tags jsonb not null default '{}'`.execute(db);
  await sql`
    create function file_key(bucket uuid, path text, name text, file uuid) returns text language plpgsql as $$
      declare
        folder text := substr(path, 2);
        parts text[] := regexp_match(name, '^(.+?)((?:\\.tar)?\\.[^.[:space:]]{1,16})?$');
        candidate text := folder || name;
        number int := 2;
      begin
        if octet_length(candidate) > ${sql.lit(MAX_KEY)} then return null; end if;
        while exists (
          select from stored_files f where f.bucket_id = bucket and f.key = candidate and f.id is distinct from file
        ) loop
          candidate := folder || coalesce(parts[1], name) || ' (' || number || ')' || coalesce(parts[2], '');
          number := number + 1;
        end loop;
        return case when octet_length(candidate) <= ${sql.lit(MAX_KEY)} then candidate end;
      end
    $$`.execute(db);
  await sql`
    create function place_file() returns trigger language plpgsql as $$
      begin
        if new.bucket_id is null then new.bucket_id := uploads_bucket(new.owner_id); end if;
        perform from buckets where id = new.bucket_id for no key update;
        new.key := file_key(new.bucket_id, new.file_path, new.file_name, new.id);
        return new;
      end
    $$`.execute(db);
  await sql`
    create function tag_file() returns trigger language plpgsql as $$
      begin
        new.etag := new.sha256 || '-1';
        -- The release before, which gives a file other bytes, knows neither.
        if tg_op = 'UPDATE' then
          new.pieces := null;
          new.checksum := null;
        end if;
        return new;
      end
    $$`.execute(db);
  await sql`alter table stored_files alter column sha256 drop not null`.execute(db);
  await sql`
    create trigger stored_files_place before insert on stored_files
    for each row when (new.key is null) execute function place_file()`.execute(db);
  await sql`
    create trigger stored_files_replace before update of file_path, file_name on stored_files
    for each row when (
      (new.file_path, new.file_name) is distinct from (old.file_path, old.file_name) and new.key is not distinct from old.key
    ) execute function place_file()`.execute(db);
  await sql`
    create trigger stored_files_tag before insert on stored_files
    for each row when (new.etag is null) execute function tag_file()`.execute(db);
  await sql`
    create trigger stored_files_retag before update of sha256 on stored_files
    for each row when (new.sha256 is distinct from old.sha256 and new.etag = old.etag and new.sha256 is not null)
    execute function tag_file()`.execute(db);
}

/** What a key named before, what was deleted, and what is in the trash. */
async function createVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_versions (
      id uuid primary key default uuid7(),
      version_id uuid,
      file_id uuid not null,
      owner_id uuid not null references workspaces on delete cascade,
      bucket_id uuid not null references buckets on delete cascade,
      key text collate "C",
      is_delete_marker boolean not null default false,
      file_name text not null,
      file_path text not null,
      file_size bigint not null,
      mime_type text not null,
      charset text,
      is_public boolean not null,
      object_key text unique,
      sha256 text,
      ${CONTENT},
      created_at timestamptz(3) not null,
      uploaded_at timestamptz(3) not null,
      replaced_at timestamptz(3) not null default clock_timestamp(),
      trashed_at timestamptz(3),
      check (is_delete_marker = (object_key is null))
    )`.execute(db);
  await sql`create index file_versions_by_key on file_versions (bucket_id, key, replaced_at desc, id desc)`.execute(
    db,
  );
  await sql`create index file_versions_of_owner on file_versions (owner_id)`.execute(db);
  await sql`
    create index file_versions_in_trash on file_versions (owner_id, trashed_at desc, id desc)
    where trashed_at is not null`.execute(db);
  await meter(db, 'file_versions');
}

/** An object that arrives in parts. Each part is an object of the store, named `<object_key>/<name>`. */
async function createMultipartUploads(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table multipart_uploads (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      bucket_id uuid not null references buckets on delete cascade,
      key text collate "C" not null,
      object_key text not null unique,
      mime_type text not null,
      charset text,
      is_public boolean not null default false,
      checksum jsonb,
      metadata jsonb not null default '{}',
      tags jsonb not null default '{}',
      created_at timestamptz(3) not null default clock_timestamp(),
      touched_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index multipart_uploads_by_key on multipart_uploads (bucket_id, key, id)`.execute(db);
  await sql`create index multipart_uploads_of_owner on multipart_uploads (owner_id)`.execute(db);
  await sql`create index multipart_uploads_by_age on multipart_uploads (touched_at)`.execute(db);
  await sql`
    create table multipart_parts (
      upload_id uuid not null references multipart_uploads on delete cascade,
      part_number int not null check (part_number between 1 and 10000),
      owner_id uuid not null references workspaces on delete cascade,
      name text not null,
      file_size bigint not null,
      etag text not null,
      checksum jsonb,
      created_at timestamptz(3) not null default clock_timestamp(),
      primary key (upload_id, part_number)
    )`.execute(db);
  await sql`create index multipart_parts_of_owner on multipart_parts (owner_id)`.execute(db);
  await meter(db, 'multipart_parts');
}

async function createAccessKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table storage_keys (
      id text primary key check (id ~ '^[A-Z0-9]{20}$'),
      owner_id uuid not null references workspaces on delete cascade,
      user_id uuid not null,
      bucket_id uuid references buckets on delete cascade,
      name text not null,
      access text not null check (access in ('read', 'write')),
      sealed_key bytea not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      last_used_at timestamptz(3),
      foreign key (owner_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
    )`.execute(db);
  await sql`create index storage_keys_of_owner on storage_keys (owner_id, created_at desc, id)`.execute(db);
  await sql`create index storage_keys_of_member on storage_keys (owner_id, user_id)`.execute(db);
  await sql`create index storage_keys_of_bucket on storage_keys (bucket_id)`.execute(db);
}

/** Rows of a table with `owner_id` and `file_size` count as the files do. */
async function meter(db: Kysely<unknown>, table: string): Promise<void> {
  for (const [event, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`
      create trigger ${sql.ref(`${table}_${event}_meter`)} after ${sql.raw(event)} on ${sql.ref(table)}
      referencing ${sql.raw(rows)} table as changed for each statement execute function meter_files()`.execute(
      db,
    );
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table storage_keys, multipart_parts, multipart_uploads, file_versions`.execute(db);
  await sql`drop function place_file, tag_file cascade`.execute(db);
  await sql`update stored_files set sha256 = etag where sha256 is null`.execute(db);
  await sql`
    alter table stored_files alter column sha256 set not null, drop column bucket_id, drop column key,
      drop column version_id, drop column pieces, drop column etag, drop column checksum, drop column metadata,
      drop column tags`.execute(db);
  await sql`drop function file_key, uploads_bucket`.execute(db);
  await sql`drop table buckets`.execute(db);
}
