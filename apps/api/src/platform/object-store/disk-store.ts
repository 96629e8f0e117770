import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, opendir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskReader } from './disk-reader.ts';
import { createDiskUploads } from './disk-uploads.ts';
import {
  FILE_MODE,
  hasNamesEnough,
  isMissing,
  makeFolder,
  meaningOf,
  publish,
  publishToo,
  removeEmptyFolders,
  writeAll,
} from './durable-files.ts';
import {
  assertKey,
  assertPrefix,
  type Bytes,
  type ObjectStore,
  type PutResult,
  type Received,
  type StoredObject,
} from './object-store.ts';

const SHARD_LENGTH = 2;
const ALL = { start: 0, end: Number.POSITIVE_INFINITY };

export interface DiskStore extends ObjectStore {
  /** `put` of bytes that are all there: without gathering them, and without a digest. */
  putWhole(key: string, bytes: Uint8Array): Promise<void>;
}

/** Whether there was ever a store below `folder`. */
export async function hasDiskStore(folder: string): Promise<boolean> {
  return (await orMissing(stat(join(folder, 'data')))) !== undefined;
}

/**
 * Objects as files below `folder`, which must be this process's alone: temporary files of processes that were killed
 * are deleted here, uploads that are younger than a day are kept.
 */
export async function openDiskStore(folder: string): Promise<DiskStore> {
  const objects = join(folder, 'data');
  const temporary = join(folder, 'temporary');
  await rm(temporary, { recursive: true, force: true });
  await makeFolder(objects);
  await makeFolder(temporary);
  const pathOf = (key: string) => join(objects, fileOf(key));
  const uploads = await createDiskUploads(join(folder, 'uploads'), pathOf);
  await uploads.sweep();

  return {
    ...readDiskStore(folder),
    put: (key, source) => put(pathOf(key), join(temporary, randomUUID()), source),
    receive: (key, source) => receive(pathOf(key), join(temporary, randomUUID()), source),

    putWhole: (key, bytes) => putWhole(pathOf(key), join(temporary, randomUUID()), bytes),

    copy: (key, to) => copy(pathOf(key), pathOf(to), join(temporary, randomUUID())),

    async delete(key) {
      await rm(pathOf(key), { force: true });
      const [kind = '', ...below] = key.split('/');
      // Folders that are one object's, in pieces, would otherwise stay for ever.
      if (below.length > 1) await removeEmptyFolders(dirname(pathOf(key)), join(objects, kind));
    },

    uploads,
    sweep: () => uploads.sweep(),
  };
}

/** What reads such a store, also while another process has it. */
export function readDiskStore(folder: string): Pick<ObjectStore, 'get' | 'stat' | 'list'> {
  const objects = join(folder, 'data');
  const pathOf = (key: string) => join(objects, fileOf(key));
  return {
    async get(key, range, options) {
      const handle = await orMissing(open(pathOf(key), 'r'));
      return handle && new DiskReader(handle, range ?? ALL, options);
    },

    async stat(key) {
      const found = await orMissing(stat(pathOf(key)));
      return found && { key, size: found.size, storedAt: found.mtime };
    },

    list(prefix) {
      assertPrefix(prefix);
      return filesBelow(objects, prefix);
    },
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
  const { kept, ...result } = await receive(path, temporary, source);
  await kept;
  return result;
}

async function receive(path: string, temporary: string, source: Bytes): Promise<Received> {
  let handle: FileHandle | undefined;
  try {
    const hash = createHash('sha256');
    handle = await open(temporary, 'wx', FILE_MODE);
    const size = await writeAll(handle, source, { position: 0, hash });
    const kept = keep(handle, temporary, path);
    // Whoever does not wait for it has given it up.
    kept.catch(() => {});
    return { size, sha256: hash.digest('hex'), kept };
  } catch (error) {
    await handle?.close().catch(() => {});
    await rm(temporary, { force: true });
    throw meaningOf(error);
  }
}

/** Syncs a file that is written, closes it, and gives it its lasting name. */
async function keep(handle: FileHandle, temporary: string, path: string): Promise<void> {
  try {
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await publish(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw meaningOf(error);
  }
}

async function putWhole(path: string, temporary: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: FILE_MODE, flush: true });
    await publish(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw meaningOf(error);
  }
}

/** A copy is a second name of the same file, which nobody writes to any more. */
async function copy(from: string, path: string, temporary: string): Promise<boolean> {
  try {
    // Before it has the second name: a sweep may not take that for an old one.
    const now = new Date();
    await utimes(from, now, now);
    await publishToo(from, temporary, path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (!hasNamesEnough(error)) throw meaningOf(error);
  }
  const handle = await orMissing(open(from, 'r'));
  if (!handle) return false;
  await put(path, temporary, new DiskReader(handle, ALL));
  return true;
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
