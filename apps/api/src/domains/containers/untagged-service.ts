import {
  type ImageDeletion,
  MAX_PAGE,
  type Page,
  type UntaggedImage,
  type UntaggedImageDetail,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { countsOf, deleteParts, planDeletion } from './deletion.ts';
import { inUse, readNeeded, whyKept } from './needed.ts';
import type { OwnHost } from './own-images.ts';
import { planUntaggedDeletion, readUntagged } from './untagged.ts';

/** Throws 404 where it is not the signed-in person's. */
export async function assertOwned(
  { ownerId }: UserContext,
  db: Kysely<Database>,
  repositoryId: string,
): Promise<void> {
  const row = await db
    .selectFrom('containerRepositories')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', repositoryId)
    .executeTakeFirst();
  if (!row) throw notFound();
}

/** Any manifest of the signed-in person. Throws 404. */
async function findManifest({ ownerId }: UserContext, db: Kysely<Database>, id: string) {
  const row = await db
    .selectFrom('containerRepositories as repository')
    .innerJoin('containerManifests as manifest', 'manifest.repositoryId', 'repository.id')
    .select(['manifest.repositoryId', 'manifest.digest'])
    .where('repository.ownerId', '=', ownerId)
    .where('manifest.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The untagged images of one repository, newest first. Throws 404. */
export async function listUntagged(
  ctx: UserContext,
  settings: OwnHost,
  { id: repositoryId, limit = MAX_PAGE, cursor }: { id: string } & z.output<typeof Page>,
): Promise<UntaggedImage[]> {
  await assertOwned(ctx, ctx.db, repositoryId);
  return readUntagged(ctx.db, settings, { repositoryId, limit, cursor });
}

/** Throws 404, also for an image that has a tag, or that one with a tag needs. */
export async function describeUntagged(
  ctx: UserContext,
  settings: OwnHost,
  id: string,
): Promise<UntaggedImageDetail> {
  const { repositoryId, digest } = await findManifest(ctx, ctx.db, id);
  const [image] = await readUntagged(ctx.db, settings, { repositoryId, id, limit: 1 });
  if (!image) throw notFound();
  return { ...image, deletion: countsOf(await planDeletion(ctx.db, { repositoryId, digest })) };
}

/**
 * Deletes an untagged image with what only it needs, and answers what went. Under the account's lock, as pushes are: a
 * tag or an index either came before, or finds it gone. Throws 404, and 409 IN_USE for what is needed by now, or by a
 * project.
 */
export function removeUntaggedImage(ctx: UserContext, settings: OwnHost, id: string): Promise<ImageDeletion> {
  return atomically(ctx.db, async (trx) => {
    await lockAccount(trx, ctx.ownerId);
    const { repositoryId, digest } = await findManifest(ctx, trx, id);
    const [image] = await readUntagged(trx, settings, { repositoryId, id, limit: 1 });
    if (!image)
      throw conflict('IN_USE', "This image can't be deleted because a tag or another image uses it.");
    const deletion = await planDeletion(trx, { repositoryId, digest });
    const kept = whyKept(await readNeeded(trx, settings, repositoryId), deletion.manifests);
    if (kept) throw inUse(kept);
    await deleteParts(trx, repositoryId, deletion);
    return countsOf(deletion);
  });
}

/**
 * Deletes what is untagged in a repository, but for what a project needs and what may be part of a push that goes on, and
 * answers what went.
 * Under the account's lock, as `removeUntaggedImage`. Throws 404.
 */
export function removeUntagged(
  ctx: UserContext,
  settings: OwnHost,
  repositoryId: string,
): Promise<ImageDeletion> {
  return atomically(ctx.db, async (trx) => {
    await lockAccount(trx, ctx.ownerId);
    await assertOwned(ctx, trx, repositoryId);
    const deletion = await planUntaggedDeletion(trx, settings, repositoryId);
    await deleteParts(trx, repositoryId, deletion);
    return countsOf(deletion);
  });
}
