import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBackupPlace } from '../../core/backup-place.ts';
import { Refusal } from '../../core/errors.ts';
import { type BucketServer, SettingError } from '../../core/settings.ts';
import { takeDataFolder } from '../../platform/data-folder.ts';
import { FileInUse, lockFile } from '../../platform/lock-file.ts';
import { openDiskStore, readDiskStore } from '../../platform/object-store/disk-store.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { lockBucket, openBackupBucket } from './bucket-store.ts';

/** What a repository needs of an object store. */
export interface BackupStore extends Pick<ObjectStore, 'get' | 'list' | 'delete'> {
  put(key: string, bytes: Uint8Array): Promise<void>;
}

export interface OpenStore {
  store: BackupStore;
  /** Lets others write there. */
  close(): Promise<void>;
}

/** The place of backups is full, or away. Its message is for people. */
export class PlaceFailed extends Error {
  override readonly name = 'PlaceFailed';
}

/** Opens the place of backups, which nobody else writes to meanwhile. Throws `SettingError`, or `PlaceFailed`. */
export async function openBackupStore(
  target: string,
  { server, dataDir }: { server: BucketServer | undefined; dataDir: string },
): Promise<OpenStore> {
  const place = readBackupPlace(target);
  if (!place) throw new SettingError('BACKUP_URL must be an absolute path or s3://bucket/prefix');
  if ('bucket' in place) {
    const unlock = lockHere(dataDir);
    try {
      const { store, close } = await lockBucket(await openBucketAt(place, server), dataDir);
      return { store, close: () => close().finally(unlock) };
    } catch (error) {
      unlock();
      throw error;
    }
  }
  const close = takeDataFolder(target, 'BACKUP_URL');
  try {
    const { putWhole: put, ...store } = await openDiskStore(target);
    return { store: speaking({ ...store, put }), close: async () => close() };
  } catch (error) {
    close();
    throw error;
  }
}

/** Keeps other processes of the same data folder from the bucket, since they would take over its lock there. */
function lockHere(dataDir: string): () => void {
  try {
    return lockFile(join(dataDir, 'backup.lock'));
  } catch (error) {
    if (error instanceof FileInUse) throw new SettingError('BACKUP_URL is in use by another Nephos process');
    throw error;
  }
}

/** What reads backups, and changes nothing there. Throws `SettingError` where there can be none, or `PlaceFailed`. */
export async function readBackupStore(
  target: string,
  server: BucketServer | undefined,
): Promise<BackupStore> {
  const place = readBackupPlace(target);
  if (!place) throw new SettingError(`${target} is neither an absolute path nor s3://bucket/prefix.`);
  if ('folder' in place && !existsSync(place.folder)) {
    throw new SettingError(`There is no folder ${target}.`);
  }
  const refuse = () => Promise.reject(new Error('These backups are only read.'));
  const store = 'bucket' in place ? await openBucketAt(place, server) : readDiskStore(place.folder);
  return speaking({ ...store, put: refuse, delete: refuse });
}

async function openBucketAt(
  { bucket, prefix }: { bucket: string; prefix: string },
  server: BucketServer | undefined,
): Promise<BackupStore> {
  if (!server) {
    throw new SettingError(
      'Set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY for backups in a bucket.',
    );
  }
  return speaking(await meant(openBackupBucket({ ...server, bucket }, prefix)));
}

/** Says what happened to the place in words for whoever makes or restores backups. */
function speaking(store: BackupStore): BackupStore {
  return {
    get: (key) => meant(store.get(key)),
    put: (key, bytes) => meant(store.put(key, bytes)),
    delete: (key) => meant(store.delete(key)),
    async *list(prefix) {
      const found = store.list(prefix)[Symbol.asyncIterator]();
      for (let next = await meant(found.next()); !next.done; next = await meant(found.next()))
        yield next.value;
    },
  };
}

async function meant<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.reason === 'STORAGE_FULL') {
      throw new PlaceFailed('There is no room left where backups go: free some, or choose another place.');
    }
    const why = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new PlaceFailed(`The place of backups cannot be reached${why}.`);
  }
}
