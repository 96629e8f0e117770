import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';
import { BUILD_REPOSITORY, type OwnHost } from './own-images.ts';
import { removeImage } from './service.ts';

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** Tags that are ids, which other tags of the same repository need not be. */
const TAG_AS_ID = sql<string>`case when image.tag ~ ${UUID} then image.tag::uuid end`;

/** The images that builds of deployments stored, with the deployment as `release`. */
function releaseImages(db: Kysely<Database>) {
  return db
    .selectFrom('containerImages as image')
    .innerJoin('containerRepositories as repository', 'repository.id', 'image.repositoryId')
    .innerJoin('workspaces as owner', 'owner.id', 'image.ownerId')
    .innerJoin('deployments as release', (join) =>
      join
        .onRef('release.ownerId', '=', 'image.ownerId')
        .on('release.id', '=', TAG_AS_ID)
        .on('release.image', '=', ''),
    )
    .innerJoin('projects as project', 'project.id', 'release.projectId')
    .where('repository.name', '=', BUILD_REPOSITORY)
    .select(['image.id', 'image.ownerId']);
}

/** Ids of the images that were built for a project. */
export async function imagesBuiltFor(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  projectId: string,
): Promise<string[]> {
  const images = await releaseImages(db)
    .where('project.ownerId', '=', ownerId)
    .where('project.id', '=', projectId)
    .execute();
  return images.map(({ id }) => id);
}

/**
 * Deletes what an earlier run of a deployment stored, before another run stores an image under the same tag: the former one
 * would have no tag any more, by which it is found when the project goes.
 */
export async function removeFormerImage(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  settings: OwnHost,
  deploymentId: string,
): Promise<void> {
  const images = await releaseImages(db)
    .where('release.ownerId', '=', ownerId)
    .where('release.id', '=', deploymentId)
    .execute();
  for (const { id } of images) await removeUnneeded({ db, ownerId }, settings, id);
}

/** Deletes an image, unless something needs it or it is gone. */
export async function removeUnneeded(
  ctx: Pick<UserContext, 'db' | 'ownerId'>,
  settings: OwnHost,
  id: string,
): Promise<void> {
  await removeImage(ctx, settings, id).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

/**
 * Deletes images that builds of deployments stored, as soon as nobody can roll back to them, so that deployments do not
 * fill up a plan's storage. Whatever else needs one keeps it.
 */
export async function sweepReleaseImages(db: Kysely<Database>, settings: OwnHost): Promise<void> {
  const images = await releaseImages(db)
    .where('release.releaseKept', '=', false)
    .where('release.status', 'in', ['failed', 'stopped', 'cancelled'])
    .execute();
  for (const { id, ownerId } of images) await removeUnneeded({ db, ownerId }, settings, id);
}
