import { type ImageRepository, type ImageStorage, MAX_PAGE, type Page } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { OwnHost } from './own-images.ts';
import { summariseUntagged } from './untagged.ts';

const NOTHING: ImageRepository['untagged'] = {
  images: 0,
  recent: 0,
  needed: 0,
  deletion: { manifests: 0, blobs: 0, size: 0 },
};

/** A person's repositories with the bytes that their plan is charged with: what the meters say. */
function repositoriesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('containerRepositories as repository')
    .leftJoin('usageMeters as meter', (join) =>
      join
        .onRef('meter.userId', '=', 'repository.ownerId')
        .on('meter.resourceType', '=', 'container')
        .onRef('meter.resourceId', '=', 'repository.id'),
    )
    .where('repository.ownerId', '=', ownerId)
    .select(['repository.id', 'repository.name', 'repository.isPublic'])
    .select(sql<number>`coalesce(meter.level, 0)`.as('size'))
    .select(
      sql<number>`(select count(*) from container_images image where image.repository_id = repository.id)`.as(
        'tags',
      ),
    );
}

async function withUntagged<Row extends { id: string }>(
  db: Kysely<Database>,
  settings: OwnHost,
  rows: Row[],
) {
  const untagged = await summariseUntagged(
    db,
    settings,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, untagged: untagged.get(row.id) ?? NOTHING }));
}

/** The signed-in person's repositories that hold anything, newest first, whether they have a tag or not. */
export async function listRepositories(
  { db, ownerId }: UserContext,
  settings: OwnHost,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<ImageRepository[]> {
  const all = repositoriesOf(db, ownerId)
    .where('meter.level', '>', 0)
    .orderBy('repository.id', 'desc')
    .limit(limit);
  const rows = await (cursor === undefined ? all : all.where('repository.id', '<', cursor)).execute();
  return withUntagged(db, settings, rows);
}

/** Throws 404. */
export async function getRepository(
  { db, ownerId }: UserContext,
  settings: OwnHost,
  id: string,
): Promise<ImageRepository> {
  const rows = await repositoriesOf(db, ownerId).where('repository.id', '=', id).execute();
  const [repository] = await withUntagged(db, settings, rows);
  if (!repository) throw notFound();
  return repository;
}

/** What all images of the signed-in person use of the plan's storage, and what of that is untagged. */
export async function readImageStorage(
  { db, ownerId }: UserContext,
  settings: OwnHost,
): Promise<ImageStorage> {
  const rows = await repositoriesOf(db, ownerId).execute();
  const repositories = await withUntagged(db, settings, rows);
  return {
    size: sumOf(repositories, ({ size }) => size),
    untagged: {
      images: sumOf(repositories, ({ untagged }) => untagged.images),
      recent: sumOf(repositories, ({ untagged }) => untagged.recent),
      needed: sumOf(repositories, ({ untagged }) => untagged.needed),
      deletion: {
        manifests: sumOf(repositories, ({ untagged }) => untagged.deletion.manifests),
        blobs: sumOf(repositories, ({ untagged }) => untagged.deletion.blobs),
        size: sumOf(repositories, ({ untagged }) => untagged.deletion.size),
      },
    },
  };
}

function sumOf<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0);
}
