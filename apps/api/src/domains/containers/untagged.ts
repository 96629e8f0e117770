import type { ImageRepository, UntaggedImage } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Deletion } from './deletion.ts';
import { neededDigests, readNeeded } from './needed.ts';
import type { OwnHost } from './own-images.ts';
import { PUSH_TIME } from './registry/blob-sweep.ts';

/** Its children, its subject and its referrers: what a manifest keeps by being kept. They need not be there. */
const KEPT_BY = sql`
  select reference.digest from container_references reference
  where reference.repository_id = held.repository_id and reference.manifest = held.digest
    and reference.kind = 'manifest'
  union all
  select manifest.subject from container_manifests manifest
  where manifest.repository_id = held.repository_id and manifest.digest = held.digest
    and manifest.subject is not null
  union all
  select referrer.digest from container_manifests referrer
  where referrer.repository_id = held.repository_id and referrer.subject = held.digest`;

const HAS_PARENT = sql`exists (
  select from container_references parent
  where parent.repository_id = manifest.repository_id and parent.digest = manifest.digest
    and parent.kind = 'manifest'
)`;

/** Pushed by its digest alone, and nothing that it could belong to is there: it may be part of a push that goes on. */
const IS_RECENT = sql`(
  not manifest.was_tagged and manifest.pushed_at > now() - ${PUSH_TIME} and not ${HAS_PARENT} and not exists (
    select from container_manifests subject
    where subject.repository_id = manifest.repository_id and subject.digest = manifest.subject
  )
)`;

/**
 * `untagged`: the manifests of these repositories that nothing with a tag needs, of which `is_image` are listed and
 * `stays` are not deleted with all; `going`: those that are; `freed`: digests of blobs that only those name, and
 * `freed_blobs` with their bytes, as far as they are linked. All as if the tags of the ids `without` were gone.
 */
function withUntagged(
  repositoryIds: readonly string[],
  settings: OwnHost,
  without: readonly string[] = [],
): RawBuilder<unknown> {
  const ids = sql`any(${repositoryIds}::uuid[])`;
  return sql`
    with recursive needed (repository_id, digest) as (${neededDigests(repositoryIds, settings)}),
    held (repository_id, digest, why) as (
      select repository_id, digest, 'tag' from container_images
      where repository_id = ${ids} and digest is not null and id <> all(${without}::uuid[])
      union
      select repository_id, digest, 'push' from container_manifests manifest
      where repository_id = ${ids} and ${IS_RECENT}
      union
      select repository_id, digest, 'project' from needed
      union
      select there.repository_id, there.digest, held.why from held cross join lateral (${KEPT_BY}) kept
      join container_manifests there
        on there.repository_id = held.repository_id and there.digest = kept.digest
    ),
    untagged as (
      select id, repository_id, digest, size, not ${HAS_PARENT} as is_image,
        (repository_id, digest) in (select repository_id, digest from held) as stays,
        (repository_id, digest) in (select repository_id, digest from held where why = 'project') as is_needed
      from container_manifests manifest
      where repository_id = ${ids}
        and (repository_id, digest) not in (select repository_id, digest from held where why = 'tag')
    ),
    going as (select repository_id, digest, size from untagged where not stays),
    freed as (
      select repository_id, digest from container_references
      where kind = 'blob' and (repository_id, manifest) in (select repository_id, digest from going)
      except
      select repository_id, digest from container_references
      where kind = 'blob' and repository_id = ${ids}
        and (repository_id, manifest) not in (select repository_id, digest from going)
    ),
    freed_blobs as (
      select repository_id, digest, blob.size
      from freed join container_blob_links link using (repository_id, digest) join container_blobs blob using (digest)
    )`;
}

type Untagged = ImageRepository['untagged'];

/** What of each repository is untagged; nothing of those that are not in the map. Make sure of their owner first. */
export async function summariseUntagged(
  db: Kysely<Database>,
  settings: OwnHost,
  repositoryIds: readonly string[],
): Promise<Map<string, Untagged>> {
  const { rows } = await sql<Untagged & Untagged['deletion'] & { repositoryId: string }>`
    ${withUntagged(repositoryIds, settings)},
    blobs as (
      select repository_id, count(*) as blobs, sum(size) as size from freed_blobs group by repository_id
    ),
    manifests as (
      select repository_id, count(*) filter (where is_image) as images,
        count(*) filter (where is_image and stays and not is_needed) as recent,
        count(*) filter (where is_image and is_needed) as needed,
        count(*) filter (where not stays) as manifests,
        coalesce(sum(size) filter (where not stays), 0) as size
      from untagged group by repository_id
    )
    select repository_id, images, recent, needed, manifests, coalesce(blobs.blobs, 0) as blobs,
      manifests.size + coalesce(blobs.size, 0) as size
    from manifests left join blobs using (repository_id)`.execute(db);
  return new Map(
    rows.map(({ repositoryId, images, recent, needed, ...deletion }) => [
      repositoryId,
      { images, recent, needed, deletion },
    ]),
  );
}

/**
 * The digests of what goes with all that is untagged in a repository, or would be `without` the tags of these ids, and
 * how much that frees.
 */
export async function planUntaggedDeletion(
  db: Kysely<Database>,
  settings: OwnHost,
  repositoryId: string,
  without: readonly string[] = [],
): Promise<Deletion> {
  const { rows } = await sql<{ kind: 'manifest' | 'blob'; digest: string; size: number }>`
    ${withUntagged([repositoryId], settings, without)}
    select 'manifest' as kind, digest, size::bigint from going
    union all
    select 'blob', digest, size from freed_blobs`.execute(db);
  const digestsOf = (kind: 'manifest' | 'blob') =>
    rows.filter((row) => row.kind === kind).map(({ digest }) => digest);
  return {
    manifests: digestsOf('manifest'),
    blobs: digestsOf('blob'),
    size: rows.reduce((sum, { size }) => sum + size, 0),
  };
}

/**
 * The untagged images of a repository whose owner was made sure of, newest first; of them only `id`, or those after
 * `cursor`.
 */
export async function readUntagged(
  db: Kysely<Database>,
  settings: OwnHost,
  {
    repositoryId,
    id,
    cursor,
    limit,
  }: { repositoryId: string; id?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<UntaggedImage[]> {
  const { rows } = await sql<Omit<UntaggedImage, 'keptBecause'> & { isNeeded: boolean }>`
    ${withUntagged([repositoryId], settings)}
    select manifest.id, manifest.digest, media_type, artifact_type, subject, image_size as size, pushed_at,
      stays and not is_needed as is_recent, is_needed
    from untagged join container_manifests manifest using (id)
    where is_image ${id === undefined ? sql`` : sql`and id = ${id}`}
      ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
    order by id desc limit ${limit}`.execute(db);
  const sentences = rows.some((row) => row.isNeeded)
    ? (await readNeeded(db, settings, repositoryId)).digests
    : undefined;
  return rows.map(({ isNeeded, ...image }) => ({
    ...image,
    keptBecause: isNeeded ? (sentences?.get(image.digest) ?? PART_OF_NEEDED) : '',
  }));
}

/** Said of a signature or the like. */
const PART_OF_NEEDED = 'Kept because it belongs to an image that a project needs.';
