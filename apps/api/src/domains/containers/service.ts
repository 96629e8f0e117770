import {
  type ContainerImage,
  type ImagePage,
  type NewContainerImage,
  REPOSITORY_NAME_MAX,
  type RegistryAddress,
} from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { follow } from '../../platform/follow.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { deleteParts, planTagDeletion } from './deletion.ts';
import { inUse } from './needed.ts';
import type { OwnHost } from './own-images.ts';
import { findImage, imagesOf } from './read.ts';
import { ensureRepository, hideWithoutTags, isInNamespace } from './registry/repositories.ts';

/** Its payload is an owner's id: something that the pages of their images show has changed. Sent by triggers. */
const CONTAINERS_CHANGED = 'containers_changed';
/** Milliseconds between two events: a push, or a crowd that pulls, is many changes. */
const REST_MS = 1000;

type ImageListInput = z.output<typeof ImagePage>;

const REFERENCE = sql`repository.name || ':' || image.tag`;

const LIST: ListShape<NonNullable<NonNullable<ImageListInput>['sort']>> = {
  id: 'image.id',
  texts: [REFERENCE, sql`image.digest`],
  orders: {
    name: { key: REFERENCE, direction: 'asc' },
    updated: { key: sql`coalesce(image.pushed_at, image.created_at)`, direction: 'desc' },
    size: { key: sql`coalesce(manifest.image_size, 0)`, direction: 'desc' },
  },
};

/** The signed-in person's images, newest first unless sorted otherwise. */
export function listImages({ db, ownerId }: UserContext, input: ImageListInput): Promise<ContainerImage[]> {
  return readPage(imagesOf(db, ownerId), LIST, input);
}

/** Reserves a name and tag until something is pushed there. Throws 409 EXISTS. */
export function registerImage(
  { db, workspace: { handle }, ownerId }: UserContext,
  { name: given, tag, isPublic }: z.output<typeof NewContainerImage>,
): Promise<ContainerImage> {
  const name = isInNamespace(given, handle) ? given : `${handle}/${given}`;
  if (name.length > REPOSITORY_NAME_MAX) {
    const message = `Name can have at most ${REPOSITORY_NAME_MAX} characters, including your handle.`;
    throw invalid(message, [{ path: 'name', message }]);
  }
  return atomically(db, async (trx) => {
    const { id: repositoryId } = await ensureRepository(trx, { ownerId, name });
    const inserted = await trx
      .insertInto('containerImages')
      .values({ ownerId, repositoryId, tag })
      .onConflict((conflicting) => conflicting.columns(['repositoryId', 'tag']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw conflict('EXISTS', `You already have an image ${name}:${tag}.`);
    if (isPublic !== undefined) {
      await trx
        .updateTable('containerRepositories')
        .set({ isPublic })
        .where('ownerId', '=', ownerId)
        .where('id', '=', repositoryId)
        .execute();
    }
    return getImage({ db: trx, ownerId }, inserted.id);
  });
}

async function getImage(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  id: string,
): Promise<ContainerImage> {
  const image = await findImage(db, ownerId, id);
  if (!image) throw notFound();
  return image;
}

/** Makes an image's repository, with all of its tags, public or private. Throws 404. */
export async function publishImage(
  { db, ownerId }: UserContext,
  { id, isPublic }: { id: string; isPublic: boolean },
): Promise<ContainerImage> {
  await db
    .updateTable('containerRepositories')
    .set({ isPublic })
    .where('ownerId', '=', ownerId)
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('containerImages').select('repositoryId').where('containerImages.id', '=', id),
    )
    .execute();
  return getImage({ db, ownerId }, id);
}

/**
 * Deletes a tag, and of its image what nothing else in the repository needs: its manifest with those below it, what
 * refers to them, and their blobs. Throws 404, and 409 IN_USE where a project needs any of it.
 */
export async function removeImage(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  settings: OwnHost,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const removed = await trx
      .selectFrom('containerImages')
      .select(['id', 'repositoryId', 'digest', 'tag'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!removed) throw notFound();
    const { repositoryId } = removed;
    const { deletion, kept } = await planTagDeletion(trx, settings, removed);
    if (kept) throw inUse(kept);
    await trx.deleteFrom('containerImages').where('ownerId', '=', ownerId).where('id', '=', id).execute();
    await deleteParts(trx, repositoryId, deletion);
    await hideWithoutTags(trx, repositoryId);
  });
  return { success: true };
}

/** Where clients reach the registry, on the console's own address, and where in it a workspace's images are. */
export function registryAddress(
  { workspace }: Pick<UserContext, 'workspace'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): RegistryAddress {
  const secure = publicUrl.protocol === 'https:';
  return { host: publicUrl.host, secure, namespace: workspace.handle };
}

/** Tells the signed-in person when something of their images has changed; the event's id is its instant. */
export async function* followImages(
  { ownerId, signal }: UserContext,
  notifications: Notifications,
): AsyncGenerator<Tracked<{ at: string }>> {
  const concerns = (changed: string) => changed === ownerId;
  const follower = follow(notifications, { channels: [CONTAINERS_CHANGED], concerns, signal });
  try {
    while ((await follower.turn()) === 'news') {
      const at = new Date().toISOString();
      yield { id: at, data: { at } };
      await follower.rest(REST_MS);
    }
  } finally {
    follower.end();
  }
}
