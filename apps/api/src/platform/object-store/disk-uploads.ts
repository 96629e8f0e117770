import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOCK } from './blocks.ts';
import {
  FILE_MODE,
  isMissing,
  makeFolder,
  meaningOf,
  publishToo,
  SEALED_MODE,
  writeAll,
} from './durable-files.ts';
import {
  type Bytes,
  type DigestAlgorithm,
  type ExpectedDigest,
  NoSuchUpload,
  UploadConflict,
  type Uploads,
  WrongDigest,
} from './object-store.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The hash of an upload's first `size` bytes; lost with the process, then `finish` reads them again. */
interface Progress {
  algorithm: DigestAlgorithm;
  hash: Hash;
  size: number;
}

/** Lets one call at a time have an upload, and tells it the upload's size. */
function createTurns(sizeOf: (id: string) => Promise<number | undefined>) {
  const busy = new Set<string>();
  return {
    isBusy: (id: string) => busy.has(id),
    async alone<T>(id: string, work: (size: number) => Promise<T>): Promise<T> {
      if (busy.has(id)) throw new UploadConflict((await sizeOf(id)) ?? 0);
      busy.add(id);
      try {
        const arrived = await sizeOf(id);
        if (arrived === undefined) throw new NoSuchUpload();
        return await work(arrived);
      } finally {
        busy.delete(id);
      }
    },
  };
}

/** Uploads as files that grow in `folder`; `pathOf` says where the file of a key belongs. */
export async function createDiskUploads(
  folder: string,
  pathOf: (key: string) => string,
): Promise<Uploads & { sweep(): Promise<void> }> {
  await makeFolder(folder);
  const progress = new Map<string, Progress>();
  const fileOf = (id: string) => join(folder, id);

  async function find(id: string): Promise<Stats | undefined> {
    if (!ID.test(id)) return undefined;
    try {
      return await stat(fileOf(id));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  const size = async (id: string) => (await find(id))?.size;
  const { alone, isBusy } = createTurns(size);

  /** Its object is another name of the same file, so a finished upload is known by what its file allows. */
  async function isFinished(id: string): Promise<boolean> {
    const found = await find(id);
    return found !== undefined && (found.mode & 0o777) === SEALED_MODE;
  }

  async function drop(id: string): Promise<void> {
    progress.delete(id);
    await rm(fileOf(id), { force: true });
  }

  return {
    size,
    isFinished,

    async begin(algorithm = 'sha256') {
      const id = randomUUID();
      try {
        const handle = await open(fileOf(id), 'wx', FILE_MODE);
        await handle.close();
      } catch (error) {
        throw meaningOf(error);
      }
      progress.set(id, { algorithm, hash: createHash(algorithm), size: 0 });
      return id;
    },

    append: (id, source, offset) =>
      alone(id, async (arrived) => {
        if (offset !== arrived || (await isFinished(id))) throw new UploadConflict(arrived);
        // Taken out while it is fed: after a failure it may not stand for what is in the file.
        const known = progress.get(id);
        progress.delete(id);
        const hashing = known?.size === offset ? known : undefined;
        try {
          const size = await appendTo(fileOf(id), source, { position: offset, hash: hashing?.hash });
          if (hashing) progress.set(id, { ...hashing, size });
          return size;
        } catch (error) {
          const meaning = meaningOf(error);
          if (meaning !== error) await drop(id);
          throw meaning;
        }
      }),

    finish: (id, key, expected) =>
      alone(id, async (arrived) => {
        const known = progress.get(id);
        if ((await digestOf(fileOf(id), arrived, known, expected)) !== expected.hex) {
          await drop(id);
          throw new WrongDigest('The bytes do not have this digest.');
        }
        try {
          await sealFile(fileOf(id));
          await publishToo(fileOf(id), join(folder, randomUUID()), pathOf(key));
        } catch (error) {
          await drop(id);
          throw meaningOf(error);
        }
        progress.delete(id);
        return arrived;
      }),

    async abort(id) {
      if ((await size(id)) === undefined) return false;
      await alone(id, () => drop(id));
      return true;
    },

    async sweep() {
      for (const id of await readdir(folder)) {
        if (isBusy(id)) continue;
        const { mtimeMs } = await stat(fileOf(id));
        if (mtimeMs < Date.now() - KEPT_MS) await drop(id);
      }
    },
  };
}

async function appendTo(
  file: string,
  source: Bytes,
  options: { position: number; hash: Hash | undefined },
): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    const size = await writeAll(handle, source, options);
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

async function digestOf(
  file: string,
  size: number,
  known: Progress | undefined,
  { algorithm }: ExpectedDigest,
): Promise<string> {
  if (known?.algorithm === algorithm && known.size === size) return known.hash.copy().digest('hex');
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(file, { highWaterMark: BLOCK })) hash.update(chunk);
  return hash.digest('hex');
}

/** Closes a file, syncs and dates it: an object is as old as its storing, not as its last byte. */
async function sealFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.chmod(SEALED_MODE);
    const now = new Date();
    await handle.utimes(now, now);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
