import type { ContainerImage } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Everything of an image that a card shows. */
export function imagesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('containerImages as image')
    .innerJoin('containerRepositories as repository', 'repository.id', 'image.repositoryId')
    .leftJoin('containerManifests as manifest', (join) =>
      join
        .onRef('manifest.repositoryId', '=', 'image.repositoryId')
        .onRef('manifest.digest', '=', 'image.digest'),
    )
    .where('image.ownerId', '=', ownerId)
    .select(['image.id', 'repository.name', 'image.tag', 'repository.isPublic'])
    .select(sql<number>`coalesce(manifest.image_size, 0)`.as('size'))
    .select(['image.pullCount', 'image.digest', 'manifest.mediaType', 'image.pushedAt', 'image.createdAt']);
}

export function findImage(
  db: Kysely<Database>,
  ownerId: string,
  id: string,
): Promise<ContainerImage | undefined> {
  return imagesOf(db, ownerId).where('image.id', '=', id).executeTakeFirst();
}
