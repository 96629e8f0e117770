import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeldFolder, holdFolder, NotTaken } from './held-folder.ts';

/** The first number that PostgreSQL gives to a database of ours; those below come with a cluster. */
const FIRST_DATABASE = 16_384;

/** Bytes on disk of the databases in the cluster of that name, whether it runs or not. */
export async function clusterSize(root: string, name: string): Promise<number> {
  await using base = await holdFolder(join(root, name, 'data', 'base'), undefined);
  let size = 0;
  for (const entry of await readdir(base.at('.'))) {
    if (Number(entry) >= FIRST_DATABASE) size += await sizeOf(base, entry);
  }
  return size;
}

async function sizeOf(base: HeldFolder, database: string): Promise<number> {
  try {
    await using folder = await holdFolder(base.at(database), undefined);
    const files = await readdir(folder.at('.'));
    const sizes = await Promise.all(
      files.map((file) =>
        // A table may go at any moment.
        lstat(folder.at(file)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  } catch (error) {
    if (error instanceof NotTaken) return 0;
    throw error;
  }
}
