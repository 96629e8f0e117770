import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Owner } from '../../../core/context.ts';
import type { Doer } from '../../../platform/audit.ts';
import type { Platform } from '../../../platform/platform.ts';
import { withinQuota } from '../../plans/storage-quota.ts';
import { type Descriptor, type Manifest, requiredBlobs } from './manifest.ts';
import { type ChangedTag, recordPush } from './record-change.ts';
import { badRequest } from './registry-error.ts';
import { ensureRepository, type Repository } from './repositories.ts';

export interface NewManifest {
  digest: string;
  content: Buffer;
  manifest: Manifest;
  /** Tags that shall name it. */
  tags: readonly string[];
}

interface Found {
  digest: string;
  size: number;
}

function blobUnknown(digest: string): Error {
  return badRequest(
    'MANIFEST_BLOB_UNKNOWN',
    "The manifest references content that isn't in this repository.",
    {
      digest,
    },
  );
}

/** Throws for the first descriptor that is not among what was found, or not of that size. */
function assertFound(wanted: readonly Descriptor[], found: readonly Found[]): void {
  const sizes = new Map(found.map(({ digest, size }) => [digest, size]));
  for (const { digest, size } of wanted) {
    const actual = sizes.get(digest);
    if (actual === undefined) throw blobUnknown(digest);
    if (actual !== size) {
      throw badRequest('MANIFEST_INVALID', 'The manifest gives a wrong size for a blob.', {
        digest,
      });
    }
  }
}

async function assertComplete(
  trx: Kysely<Database>,
  repositoryId: string,
  manifest: Manifest,
): Promise<void> {
  const blobs = requiredBlobs(manifest);
  if (blobs.length > 0) {
    const found = await trx
      .selectFrom('containerBlobLinks as link')
      .innerJoin('containerBlobs as blob', 'blob.digest', 'link.digest')
      .select(['blob.digest', 'blob.size'])
      .where('link.repositoryId', '=', repositoryId)
      .where('link.digest', '=', anyOf(blobs))
      .execute();
    assertFound(blobs, found);
  }
  if (manifest.manifests.length > 0) {
    const found = await trx
      .selectFrom('containerManifests')
      .select(['digest', 'size'])
      .where('repositoryId', '=', repositoryId)
      .where('digest', '=', anyOf(manifest.manifests))
      .execute();
    assertFound(manifest.manifests, found);
  }
}

function anyOf(descriptors: readonly Descriptor[]) {
  return sql<string>`any(${descriptors.map(({ digest }) => digest)}::text[])`;
}

async function insertReferences(
  trx: Kysely<Database>,
  repositoryId: string,
  { digest: manifest, manifest: { config, layers, manifests } }: NewManifest,
): Promise<void> {
  const references = [
    ...[...(config ? [config] : []), ...layers].map((blob) => ({ ...blob, kind: 'blob' as const })),
    ...manifests.map((child) => ({ ...child, kind: 'manifest' as const })),
  ];
  if (references.length === 0) return;
  await trx
    .insertInto('containerReferences')
    .values(references.map(({ digest, size, kind }) => ({ repositoryId, manifest, digest, kind, size })))
    .onConflict((conflicting) => conflicting.doNothing())
    .execute();
}

/** The bytes of all distinct blobs of a manifest and of those below it. */
async function measure(trx: Kysely<Database>, repositoryId: string, digest: string): Promise<void> {
  await sql`
    with recursive tree (digest) as (
      select ${digest}::text
      union
      select r.digest from container_references r join tree t on r.manifest = t.digest
      where r.repository_id = ${repositoryId} and r.kind = 'manifest'
    )
    update container_manifests set image_size = (
      select coalesce(sum(size), 0) from (
        select distinct on (r.digest) r.size from container_references r join tree t on r.manifest = t.digest
        where r.repository_id = ${repositoryId} and r.kind = 'blob'
      ) blobs
    )
    where repository_id = ${repositoryId} and digest = ${digest}`.execute(trx);
}

/** Answers those of the tags that named something else, or nothing, before. */
async function nameIt(
  trx: Kysely<Database>,
  { id: repositoryId, ownerId }: Repository,
  { digest, tags }: NewManifest,
): Promise<ChangedTag[]> {
  if (tags.length === 0) return [];
  const former = await trx
    .selectFrom('containerImages')
    .select(['tag', 'digest'])
    .where('repositoryId', '=', repositoryId)
    .where('tag', 'in', tags)
    .execute();
  // Sorted, so that two pushes of the same tags do not wait for each other.
  const values = tags.toSorted().map((tag) => ({ ownerId, repositoryId, tag, digest }));
  const named = await trx
    .insertInto('containerImages')
    .values(values.map((value) => ({ ...value, pushedAt: sql<string>`now()` })))
    .onConflict((conflicting) =>
      conflicting.columns(['repositoryId', 'tag']).doUpdateSet({ digest, pushedAt: sql<string>`now()` }),
    )
    .returning(['id', 'tag'])
    .execute();
  const formers = new Map(former.map((image) => [image.tag, image.digest]));
  return named
    .map((image) => ({ ...image, former: formers.get(image.tag) ?? null }))
    .filter((image) => image.former !== digest);
}

/** Tags of a repository that name another image since a push. */
export interface PushedTags {
  owner: Owner;
  /** `<handle>/<name>`. */
  name: string;
  tags: readonly string[];
}

/** Deploys what is deployed from these tags, in the transaction of the push, which it never refuses. */
export type DeployPushed = (trx: Kysely<Database>, pushed: PushedTags) => Promise<void>;

/**
 * Stores a manifest in the owner's repository, which it makes where there is none, and points its tags at it. Holds the
 * owner's account, as deletions and the sweep do: what it has found cannot go until it is referred to. Throws
 * MANIFEST_BLOB_UNKNOWN where something that it names is not in the repository, and 403 QUOTA_EXCEEDED.
 */
export async function storeManifest(
  { deployPushed, ...deps }: Pick<Platform, 'db' | 'settings'> & { deployPushed: DeployPushed },
  { owner, name, by }: Pick<PushedTags, 'owner' | 'name'> & { by: Doer },
  given: NewManifest,
): Promise<void> {
  const { digest, content, manifest, tags } = given;
  await withinQuota(deps, owner.id, async (trx) => {
    const repository = await ensureRepository(trx, { ownerId: owner.id, name });
    await assertComplete(trx, repository.id, manifest);
    const stored = await trx
      .insertInto('containerManifests')
      .values({
        repositoryId: repository.id,
        digest,
        mediaType: manifest.mediaType,
        artifactType: manifest.artifactType,
        subject: manifest.subject,
        content,
        size: content.length,
        annotations: JSON.stringify(manifest.annotations),
        imageSize: 0,
        wasTagged: tags.length > 0,
      })
      .onConflict((conflicting) =>
        conflicting.columns(['repositoryId', 'digest']).doUpdateSet({
          mediaType: manifest.mediaType,
          wasTagged: sql<boolean>`container_manifests.was_tagged or excluded.was_tagged`,
          pushedAt: sql<string>`now()`,
        }),
      )
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirstOrThrow();
    await insertReferences(trx, repository.id, given);
    await measure(trx, repository.id, digest);
    const changed = await nameIt(trx, repository, given);
    if (changed.length > 0 || (stored.isNew && tags.length === 0))
      await recordPush(trx, { repository, by, digest, changed });
    if (changed.length > 0) {
      await deployPushed(trx, { owner, name, tags: changed.map(({ tag }) => tag) });
    }
  });
}
