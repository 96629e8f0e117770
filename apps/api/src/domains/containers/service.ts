import {
  type ContainerImage,
  MAX_PAGE,
  type NewContainerImage,
  type Page,
  REPOSITORY_NAME_MAX,
  type RegistryAddress,
} from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { lockAccount } from '../auth/lock-account.ts';
import { deleteParts, planDeletion } from './deletion.ts';
import { findImage, imagesOf } from './read.ts';
import { ensureRepository, hideWithoutTags, isInNamespace } from './repositories.ts';

/** The signed-in person's images, newest first. */
export function listImages(
  { db, user }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<ContainerImage[]> {
  const all = imagesOf(db, user.id).orderBy('image.id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('image.id', '<', cursor)).execute();
}

/** Reserves a name and tag until something is pushed there. Throws 409 EXISTS. */
export function registerImage(
  { db, user }: UserContext,
  { name: given, tag, isPublic }: z.output<typeof NewContainerImage>,
): Promise<ContainerImage> {
  const name = isInNamespace(given, user.handle) ? given : `${user.handle}/${given}`;
  if (name.length > REPOSITORY_NAME_MAX) {
    const message = `With your handle before it, a name can have at most ${REPOSITORY_NAME_MAX} characters.`;
    throw invalid(message, [{ path: 'name', message }]);
  }
  return atomically(db, async (trx) => {
    const { id: repositoryId } = await ensureRepository(trx, { ownerId: user.id, name });
    const inserted = await trx
      .insertInto('containerImages')
      .values({ ownerId: user.id, repositoryId, tag })
      .onConflict((conflicting) => conflicting.columns(['repositoryId', 'tag']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw conflict('EXISTS', `You already have an image ${name}:${tag}.`);
    if (isPublic !== undefined) {
      await trx
        .updateTable('containerRepositories')
        .set({ isPublic })
        .where('ownerId', '=', user.id)
        .where('id', '=', repositoryId)
        .execute();
    }
    return getImage({ db: trx, user }, inserted.id);
  });
}

async function getImage({ db, user }: Pick<UserContext, 'db' | 'user'>, id: string): Promise<ContainerImage> {
  const image = await findImage(db, user.id, id);
  if (!image) throw notFound();
  return image;
}

/** Makes an image's repository, with all of its tags, public or private. Throws 404. */
export async function publishImage(
  { db, user }: UserContext,
  { id, isPublic }: { id: string; isPublic: boolean },
): Promise<ContainerImage> {
  await db
    .updateTable('containerRepositories')
    .set({ isPublic })
    .where('ownerId', '=', user.id)
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('containerImages').select('repositoryId').where('containerImages.id', '=', id),
    )
    .execute();
  return getImage({ db, user }, id);
}

/**
 * Deletes a tag, and of its image what nothing else in the repository needs: its manifest with those below it, what
 * refers to them, and their blobs. Throws 404.
 */
export async function removeImage({ db, user }: UserContext, id: string): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    const removed = await trx
      .deleteFrom('containerImages')
      .where('ownerId', '=', user.id)
      .where('id', '=', id)
      .returning(['id', 'repositoryId', 'digest'])
      .executeTakeFirst();
    if (!removed) throw notFound();
    await deleteParts(trx, removed.repositoryId, await planDeletion(trx, removed));
    await hideWithoutTags(trx, removed.repositoryId);
  });
  return { success: true };
}

/** Where clients reach the registry: on the console's own address. */
export function registryAddress({ publicUrl }: UserContext['settings']): RegistryAddress {
  return { host: publicUrl.host, secure: publicUrl.protocol === 'https:' };
}
