import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { lockAccount } from '../../../platform/account-lock.ts';
import type { Doer } from '../../../platform/audit.ts';
import type { Platform } from '../../../platform/platform.ts';
import { planTagDeletion } from '../deletion.ts';
import { readNeeded, remedyOf } from '../needed.ts';
import type { OwnHost } from '../own-images.ts';
import type { Reference } from './address.ts';
import { recordDeletion } from './record-change.ts';
import { denied, manifestUnknown } from './registry-error.ts';
import { hideWithoutTags, type Repository } from './repositories.ts';

export interface StoredManifest {
  digest: string;
  mediaType: string;
  size: number;
  subject: string | null;
}

/** The manifest that a tag or a digest names. */
export async function findManifest(
  db: Kysely<Database>,
  repositoryId: string,
  reference: Reference,
): Promise<StoredManifest | undefined> {
  const stored = db
    .selectFrom('containerManifests as manifest')
    .select(['manifest.digest', 'manifest.mediaType', 'manifest.size', 'manifest.subject'])
    .where('manifest.repositoryId', '=', repositoryId);
  if ('digest' in reference) {
    return stored.where('manifest.digest', '=', reference.digest).executeTakeFirst();
  }
  return stored
    .innerJoin('containerImages as image', (join) =>
      join
        .onRef('image.repositoryId', '=', 'manifest.repositoryId')
        .onRef('image.digest', '=', 'manifest.digest'),
    )
    .where('image.tag', '=', reference.tag)
    .executeTakeFirst();
}

/** A manifest byte for byte. */
export async function readManifest(
  db: Kysely<Database>,
  repositoryId: string,
  digest: string,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('containerManifests')
    .select('content')
    .where('repositoryId', '=', repositoryId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row?.content;
}

/** Counts a pull of whatever image the reference names; a manifest that no tag names is part of another. */
export async function countPull(
  db: Kysely<Database>,
  repositoryId: string,
  reference: Reference,
): Promise<void> {
  await db
    .updateTable('containerImages')
    .set({ pullCount: sql`pull_count + 1` })
    .where('id', '=', ({ selectFrom }) => {
      const named = selectFrom('containerImages')
        .select('containerImages.id')
        .where('containerImages.repositoryId', '=', repositoryId);
      return 'tag' in reference
        ? named.where('containerImages.tag', '=', reference.tag)
        : named
            .where('containerImages.digest', '=', reference.digest)
            .orderBy('containerImages.pushedAt', 'desc')
            .limit(1);
    })
    .execute();
}

/** What a manifest names counts as asked for when it goes, so that the sweep leaves it for a day. */
async function renewLinks(trx: Kysely<Database>, repositoryId: string, manifest: string): Promise<void> {
  await trx
    .updateTable('containerBlobLinks')
    .set({ askedAt: sql<string>`now()` })
    .where('repositoryId', '=', repositoryId)
    .where('digest', 'in', ({ selectFrom }) =>
      selectFrom('containerReferences')
        .select('containerReferences.digest')
        .where('containerReferences.repositoryId', '=', repositoryId)
        .where('containerReferences.manifest', '=', manifest),
    )
    .execute();
}

/** Why a project needs what a client wants to delete; undefined where none does. */
async function whyNeeded(
  trx: Kysely<Database>,
  settings: OwnHost,
  { repositoryId, reference }: { repositoryId: string; reference: Reference },
): Promise<string | undefined> {
  if ('digest' in reference) {
    return (await readNeeded(trx, settings, repositoryId)).digests.get(reference.digest);
  }
  const image = await trx
    .selectFrom('containerImages')
    .select(['id', 'repositoryId', 'digest', 'tag'])
    .where('repositoryId', '=', repositoryId)
    .where('tag', '=', reference.tag)
    .executeTakeFirst();
  // By the protocol, its manifest would stay without a name, which is what the console's deletion takes for unneeded.
  return image && (await planTagDeletion(trx, settings, image)).kept;
}

/**
 * Deletes a tag, or a manifest with all tags that name it, and nothing else. Throws MANIFEST_UNKNOWN, and DENIED where a
 * project needs it.
 */
export async function deleteManifest(
  { db, settings }: Pick<Platform, 'db' | 'settings'>,
  repository: Repository,
  { reference, by }: { reference: Reference; by: Doer },
): Promise<void> {
  const { id: repositoryId, ownerId } = repository;
  await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const kept = await whyNeeded(trx, settings, { repositoryId, reference });
    if (kept) throw denied(remedyOf(kept));
    if ('digest' in reference) await renewLinks(trx, repositoryId, reference.digest);
    const deleted =
      'tag' in reference
        ? await deleteTag(trx, repositoryId, reference.tag)
        : await deleteWithTags(trx, repositoryId, reference.digest);
    if (!deleted) throw manifestUnknown('tag' in reference ? reference.tag : reference.digest);
    await recordDeletion(trx, { repository, by, deleted });
    await hideWithoutTags(trx, repositoryId);
  });
}

function deleteTag(trx: Kysely<Database>, repositoryId: string, tag: string) {
  return trx
    .deleteFrom('containerImages')
    .where('repositoryId', '=', repositoryId)
    .where('tag', '=', tag)
    .returning(['id', 'tag', 'digest'])
    .executeTakeFirst();
}

async function deleteWithTags(trx: Kysely<Database>, repositoryId: string, digest: string) {
  const named = await trx
    .selectFrom('containerImages')
    .select('tag')
    .where('repositoryId', '=', repositoryId)
    .where('digest', '=', digest)
    .orderBy('tag')
    .execute();
  const { numDeletedRows } = await trx
    .deleteFrom('containerManifests')
    .where('repositoryId', '=', repositoryId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return numDeletedRows > 0n ? { digest, tags: named.map(({ tag }) => tag) } : undefined;
}
