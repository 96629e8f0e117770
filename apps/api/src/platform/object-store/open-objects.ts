import { join } from 'node:path';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../core/settings.ts';
import { hasDiskStore, openDiskStore, readDiskStore } from './disk-store.ts';
import { createMovingStore, isEmpty } from './moving-store.ts';
import { announceMove, createObjectMove, type ObjectMove } from './object-move.ts';
import type { ObjectStore } from './object-store.ts';
import { assertUsable, openBucket } from './s3-bucket.ts';
import { createS3Store } from './s3-store.ts';

export interface OpenObjects {
  objects: ObjectStore;
  /** What brings the objects to a bucket that were below the data folder before; undefined where there are none. */
  objectMove: ObjectMove | undefined;
}

/** Opens the object store of the settings. Throws `SettingError` for a bucket that cannot be used. */
export async function openObjects(
  { dataDir, s3 }: Pick<Settings, 'dataDir' | 's3'>,
  { db, log }: { db: Kysely<Database>; log: Logger },
): Promise<OpenObjects> {
  const folder = join(dataDir, 'objects');
  if (!s3) return { objects: await openDiskStore(folder), objectMove: undefined };
  const bucket = await openBucket(s3);
  await assertUsable(bucket);
  const store = createS3Store(bucket, db);
  const disk = (await hasDiskStore(folder)) ? await openDiskStore(folder) : undefined;
  if (!disk || (await isEmpty(disk))) return { objects: store, objectMove: undefined };
  const announce = () => announceMove(db);
  await announce();
  return {
    objects: createMovingStore(store, disk),
    objectMove: createObjectMove({ from: disk, to: store, log, announce }),
  };
}

/** What reads the objects of an installation whose server may have them open. Throws `SettingError`. */
export async function readObjects(
  { dataDir, s3 }: Pick<Settings, 'dataDir' | 's3'>,
  db: Kysely<Database>,
): Promise<Pick<ObjectStore, 'get' | 'list'>[]> {
  const disk = readDiskStore(join(dataDir, 'objects'));
  if (!s3) return [disk];
  const bucket = await openBucket(s3);
  await assertUsable(bucket);
  // Those that are not moved yet first: what is moved meanwhile is found in the bucket afterwards.
  return [disk, createS3Store(bucket, db)];
}
