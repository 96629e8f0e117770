import { createHash, randomUUID } from 'node:crypto';
import { open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskReader } from './disk-reader.ts';
import { createDiskUploads } from './disk-uploads.ts';
import { FILE_MODE, isMissing, makeFolder, meaningOf, publish, writeAll } from './durable-files.ts';
import {
  assertKey,
  type Bytes,
  type ObjectStore,
  type PutResult,
  type StoredObject,
} from './object-store.ts';

const SHARD_LENGTH = 2;

/**
 * Objects as files below `folder`, which must be this process's alone: temporary files of processes that were killed
 * are deleted here, uploads that are younger than a day are kept.
 */
export async function openDiskStore(folder: string): Promise<ObjectStore> {
  const objects = join(folder, 'data');
  const temporary = join(folder, 'temporary');
  await rm(temporary, { recursive: true, force: true });
  await makeFolder(objects);
  await makeFolder(temporary);
  const pathOf = (key: string) => join(objects, fileOf(key));
  const uploads = await createDiskUploads(join(folder, 'uploads'), pathOf);
  await uploads.sweep();

  return {
    put: (key, source) => put(pathOf(key), join(temporary, randomUUID()), source),

    async get(key, range) {
      const handle = await orMissing(open(pathOf(key), 'r'));
      return handle && new DiskReader(handle, range ?? { start: 0, end: Number.POSITIVE_INFINITY });
    },

    async stat(key) {
      const found = await orMissing(stat(pathOf(key)));
      return found && { key, size: found.size, storedAt: found.mtime };
    },

    async delete(key) {
      await rm(pathOf(key), { force: true });
    },

    list(prefix) {
      assertKey(`${prefix}x`);
      return filesBelow(objects, prefix);
    },

    uploads,
    sweep: () => uploads.sweep(),
  };
}

/**
 * A key's file: in a folder named by the end of the key, which is random, so that no folder grows without bound. No
 * part of a key begins with `_`.
 */
function fileOf(key: string): string {
  assertKey(key);
  const nameAt = key.lastIndexOf('/') + 1;
  const name = key.slice(nameAt);
  return `${key.slice(0, nameAt)}_${name.slice(-SHARD_LENGTH)}/${name}`;
}

async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function put(path: string, temporary: string, source: Bytes): Promise<PutResult> {
  try {
    const hash = createHash('sha256');
    const handle = await open(temporary, 'wx', FILE_MODE);
    let size: number;
    try {
      size = await writeAll(handle, source, { position: 0, hash });
    } finally {
      await handle.close();
    }
    await publish(temporary, path);
    return { size, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(temporary, { force: true });
    throw meaningOf(error);
  }
}

async function* filesBelow(objects: string, prefix: string): AsyncGenerator<StoredObject> {
  const folder = await orMissing(opendir(join(objects, prefix)));
  if (!folder) return;
  for await (const entry of folder) {
    if (entry.isDirectory()) yield* filesBelow(objects, `${prefix}${entry.name}/`);
    else {
      const file = `${prefix}${entry.name}`;
      const found = await orMissing(stat(join(objects, file)));
      const key = file.replace(/_[^/]+\/(?=[^/]+$)/, '');
      if (found) yield { key, size: found.size, storedAt: found.mtime };
    }
  }
}
