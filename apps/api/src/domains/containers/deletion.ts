import type { ImageDeletion } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { type Needed, readNeeded, whyKept } from './needed.ts';
import type { OwnHost } from './own-images.ts';
import { type ManifestReference, unneededManifests } from './unneeded.ts';

/** What goes with a tag, or with an untagged image. */
export interface Deletion {
  /** Digests. */
  manifests: string[];
  /** Digests of blobs that only those name: they leave the repository. */
  blobs: string[];
  /** Bytes of both. */
  size: number;
}

/** The counts that people are told. */
export function countsOf({ manifests, blobs, size }: Deletion): ImageDeletion {
  return { manifests: manifests.length, blobs: blobs.length, size };
}

/** An image of a repository; the caller has made sure whose that is. */
interface NamedImage {
  /** Id of the tag that shall go; absent for an image that has none. */
  id?: string;
  repositoryId: string;
  /** Null where the tag is only reserved. */
  digest: string | null;
}

/** Compares with all digests by one parameter, however many they are. */
function isAnyOf(column: string, digests: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} = any(${digests}::text[])`;
}

/** The manifest, and what can be reached from it by going down to children and up to referrers. */
async function readReachable(
  db: Kysely<Database>,
  { repositoryId, root }: { repositoryId: string; root: string },
): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    with recursive reachable (digest) as (
      select ${root}::text
      union
      select neighbour.digest from reachable cross join lateral (
        select child.digest from container_references reference
        join container_manifests child on child.repository_id = ${repositoryId} and child.digest = reference.digest
        where reference.repository_id = ${repositoryId} and reference.manifest = reachable.digest
          and reference.kind = 'manifest'
        union all
        select digest from container_manifests
        where repository_id = ${repositoryId} and subject = reachable.digest
      ) neighbour
    )
    select digest from reachable`.execute(db);
  return rows.map(({ digest }) => digest);
}

async function readReferences(
  db: Kysely<Database>,
  { repositoryId, reachable }: { repositoryId: string; reachable: readonly string[] },
): Promise<ManifestReference[]> {
  const children = await db
    .selectFrom('containerReferences')
    .select(['manifest as from', 'digest as to'])
    .where('repositoryId', '=', repositoryId)
    .where('kind', '=', 'manifest')
    .where(isAnyOf('digest', reachable))
    .execute();
  // Referrers of what is reachable are reachable themselves.
  const subjects = await db
    .selectFrom('containerManifests as referrer')
    .innerJoin('containerManifests as subject', (join) =>
      join
        .onRef('subject.repositoryId', '=', 'referrer.repositoryId')
        .onRef('subject.digest', '=', 'referrer.subject'),
    )
    .select(['referrer.digest as from', 'subject.digest as to'])
    .where('referrer.repositoryId', '=', repositoryId)
    .where(isAnyOf('referrer.digest', reachable))
    .execute();
  return [
    ...children.map((reference) => ({ ...reference, kind: 'child' as const })),
    ...subjects.map((reference) => ({ ...reference, kind: 'subject' as const })),
  ];
}

async function readTagged(
  db: Kysely<Database>,
  { id, repositoryId }: NamedImage,
  reachable: readonly string[],
): Promise<Set<string>> {
  const tags = db
    .selectFrom('containerImages')
    .select('digest')
    .where('repositoryId', '=', repositoryId)
    .where(isAnyOf('digest', reachable));
  const rows = await (id === undefined ? tags : tags.where('id', '!=', id)).execute();
  return new Set(rows.flatMap(({ digest }) => digest ?? []));
}

/** The blobs of the repository that these manifests name and no other one does. */
async function readBlobs(
  db: Kysely<Database>,
  repositoryId: string,
  manifests: readonly string[],
): Promise<{ digest: string; size: number }[]> {
  const { rows } = await sql<{ digest: string; size: number }>`
    select blob.digest, blob.size from container_blob_links link join container_blobs blob using (digest)
    where link.repository_id = ${repositoryId} and link.digest in (
      select digest from container_references
      where repository_id = ${repositoryId} and kind = 'blob' and manifest = any(${manifests}::text[])
    ) and not exists (
      select from container_references other
      where other.repository_id = ${repositoryId} and other.digest = link.digest and other.kind = 'blob'
        and other.manifest <> all(${manifests}::text[])
    )`.execute(db);
  return rows;
}

/** What would go with this tag, or untagged image, now. */
export async function planDeletion(db: Kysely<Database>, image: NamedImage): Promise<Deletion> {
  const { repositoryId, digest: root } = image;
  if (root === null) return { manifests: [], blobs: [], size: 0 };
  const reachable = await readReachable(db, { repositoryId, root });
  const tagged = await readTagged(db, image, reachable);
  const references = await readReferences(db, { repositoryId, reachable });
  return measureDeletion(db, repositoryId, [...unneededManifests({ root, reachable, tagged, references })]);
}

/** These manifests of a repository with the blobs that only they name. */
export async function measureDeletion(
  db: Kysely<Database>,
  repositoryId: string,
  manifests: string[],
): Promise<Deletion> {
  if (manifests.length === 0) return { manifests, blobs: [], size: 0 };
  const { size } = await db
    .selectFrom('containerManifests')
    .select(sql<number>`coalesce(sum(size), 0)`.as('size'))
    .where('repositoryId', '=', repositoryId)
    .where(isAnyOf('digest', manifests))
    .executeTakeFirstOrThrow();
  const blobs = await readBlobs(db, repositoryId, manifests);
  return {
    manifests,
    blobs: blobs.map(({ digest }) => digest),
    size: blobs.reduce((sum, blob) => sum + blob.size, size),
  };
}

/**
 * What would go with a tag now, and why it stays, as a sentence, where a project needs the tag or any of that; with what
 * is needed of the whole repository.
 */
export async function planTagDeletion(
  db: Kysely<Database>,
  settings: OwnHost,
  image: NamedImage & { tag: string },
): Promise<{ deletion: Deletion; kept: string | undefined; needed: Needed }> {
  const deletion = await planDeletion(db, image);
  const needed = await readNeeded(db, settings, image.repositoryId);
  return { deletion, kept: needed.tags.get(image.tag) ?? whyKept(needed, deletion.manifests), needed };
}

/**
 * Deletes what was planned in the same transaction. Under the account's lock, so that no push can begin to need any of
 * it.
 */
export async function deleteParts(
  trx: Kysely<Database>,
  repositoryId: string,
  { manifests, blobs }: Deletion,
): Promise<void> {
  if (manifests.length === 0) return;
  await trx
    .deleteFrom('containerManifests')
    .where('repositoryId', '=', repositoryId)
    .where(isAnyOf('digest', manifests))
    .execute();
  await trx
    .deleteFrom('containerBlobLinks')
    .where('repositoryId', '=', repositoryId)
    .where(isAnyOf('digest', blobs))
    .execute();
}
