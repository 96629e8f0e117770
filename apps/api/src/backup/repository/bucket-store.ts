import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { type S3Settings, SettingError } from '../../core/settings.ts';
import { assertUsable, openBucket } from '../../platform/object-store/s3-bucket.ts';
import { deleteObject, listObjects, putObject, readObject } from '../../platform/object-store/s3-objects.ts';
import type { BackupStore, OpenStore } from './backup-store.ts';

const LOCKS = 'locks/';
/** Milliseconds between two signs that a lock is held. */
const BEAT_MS = 60_000;
/** Milliseconds without one after which nobody holds it. */
const STALE_MS = 10 * BEAT_MS;

/** What reads and writes backups in a bucket, below a prefix. Throws `SettingError` where it cannot be used. */
export async function openBackupBucket(settings: S3Settings, prefix: string): Promise<BackupStore> {
  const bucket = await openBucket(settings);
  await assertUsable(bucket, { bucket: 'BACKUP_URL', key: 'BACKUP_S3_ACCESS_KEY_ID' });
  return {
    put: (key, bytes) =>
      putObject(bucket, prefix + key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
    get: (key) => readObject(bucket, prefix + key),
    delete: (key) => deleteObject(bucket, prefix + key),
    async *list(below) {
      for await (const { key, ...rest } of listObjects(bucket, prefix + below)) {
        yield { ...rest, key: key.slice(prefix.length) };
      }
    },
  };
}

/**
 * Keeps others from writing there: not every server refuses to replace an object, so each writes a lock of its own and
 * then looks for those of others, whose ages the server's clock says. Of two that come at once both may be refused, and
 * never none. A process of the same data folder takes over from one that was killed. Throws `SettingError`.
 */
export async function lockBucket(store: BackupStore, dataDir: string): Promise<OpenStore> {
  const own = `${LOCKS}${createHash('sha256').update(`${hostname()}\n${dataDir}`).digest('hex')}`;
  let seen = 0;
  const beat = async () => {
    const began = Date.now();
    await store.put(own, Buffer.alloc(0));
    seen = began;
  };
  await beat();
  const all = await Array.fromAsync(store.list(LOCKS));
  const now = all.find(({ key }) => key === own)?.storedAt.getTime() ?? Date.now();
  if (all.some(({ key, storedAt }) => key !== own && now - storedAt.getTime() < STALE_MS)) {
    await store.delete(own);
    throw new SettingError(
      'Another Nephos writes to BACKUP_URL: wait for it, or try again in ten minutes if it was killed.',
    );
  }
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS).unref();
  /** A process that was held still, or cut off, for long: others may have deleted what it counts on. */
  const assertHeld = () => {
    if (Date.now() - seen > STALE_MS / 2) throw new SettingError('BACKUP_URL was out of reach for too long.');
  };
  return {
    store: {
      ...store,
      async put(key, bytes) {
        assertHeld();
        await store.put(key, bytes);
      },
      async delete(key) {
        assertHeld();
        await store.delete(key);
      },
    },
    async close() {
      clearInterval(timer);
      await store.delete(own).catch(() => {});
    },
  };
}
