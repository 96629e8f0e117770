import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table access_tokens (
      id uuid primary key default uuid7(),
      user_id uuid not null references users on delete cascade,
      name text not null,
      scope text not null check (scope in ('read', 'write')),
      hash text not null unique,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      last_used_at timestamptz(3)
    )`.execute(db);
  await sql`create index access_tokens_of_user on access_tokens (user_id, id desc)`.execute(db);

  await sql`
    create table container_repositories (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      name text not null unique,
      is_public boolean not null default false,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index container_repositories_of_owner on container_repositories (owner_id)`.execute(db);

  await sql`
    create table container_manifests (
      repository_id uuid not null references container_repositories on delete cascade,
      digest text not null,
      media_type text not null,
      artifact_type text not null,
      subject text,
      content bytea not null,
      size integer not null,
      annotations text not null,
      image_size bigint not null,
      pushed_at timestamptz(3) not null default now(),
      primary key (repository_id, digest)
    )`.execute(db);
  await sql`
    create index container_manifests_by_subject on container_manifests (repository_id, subject, digest)
    where subject is not null`.execute(db);

  await sql`
    create table container_references (
      repository_id uuid not null,
      manifest text not null,
      digest text not null,
      kind text not null check (kind in ('blob', 'manifest')),
      size bigint not null,
      primary key (repository_id, manifest, kind, digest),
      foreign key (repository_id, manifest) references container_manifests on delete cascade
    )`.execute(db);

  // Tags are listed in the order of their bytes, whatever the database's own collation is.
  await sql`
    create table container_images (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      repository_id uuid not null references container_repositories on delete cascade,
      tag text collate "C" not null,
      digest text,
      pull_count integer not null default 0,
      pushed_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      unique (repository_id, tag),
      foreign key (repository_id, digest) references container_manifests on delete cascade
    )`.execute(db);
  await sql`create index container_images_of_owner on container_images (owner_id, id desc)`.execute(db);
  await sql`
    create index container_images_by_digest on container_images (repository_id, digest)`.execute(db);

  await sql`
    create table container_blobs (
      digest text primary key,
      size bigint not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);

  await sql`
    create table container_blob_links (
      repository_id uuid not null references container_repositories on delete cascade,
      digest text not null references container_blobs,
      created_at timestamptz(3) not null default now(),
      primary key (repository_id, digest)
    )`.execute(db);
  await sql`create index container_blob_links_by_digest on container_blob_links (digest)`.execute(db);

  await sql`
    create table container_uploads (
      id uuid primary key,
      owner_id uuid not null references users on delete cascade,
      repository text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index container_uploads_of_owner on container_uploads (owner_id)`.execute(db);
  await sql`create index container_uploads_by_age on container_uploads (created_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table container_uploads, container_blob_links, container_blobs, container_images, container_references,
      container_manifests, container_repositories, access_tokens`.execute(db);
}
