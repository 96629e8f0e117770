import { join } from 'node:path';
import { readEarlier } from '../../src/backup/repository/earlier.ts';
import type { Part } from '../../src/backup/repository/manifest.ts';
import { createChunkReader, entriesOf } from '../../src/backup/repository/part-reader.ts';
import { createRepository } from '../../src/backup/repository/repository.ts';
import { restoreTree } from '../../src/backup/restore-tree.ts';
import { type Copying, createCopying } from '../../src/backup/sources/copying.ts';
import { openDiskStore } from '../../src/platform/object-store/disk-store.ts';

interface Taken {
  part: Part;
  missing: string[];
}

/** A repository for parts alone, at a place that is not there yet. */
export async function openParts(place: string) {
  const { putWhole: put, ...store } = await openDiskStore(place);
  const { chunks } = (await createRepository({ ...store, put }, undefined)).repository;
  const { signal } = new AbortController();
  /** Takes what `fill` does; `told` is told of bytes as they are read. */
  async function take(
    fill: (copying: Copying) => Promise<void>,
    { told = () => {}, before }: { told?: (bytes: number) => void; before?: Taken } = {},
  ): Promise<Taken> {
    const earlierPart = () => readEarlier(chunks, before?.part);
    const { copying, result } = createCopying(chunks, { earlierPart, told, signal });
    await fill(copying);
    const { parts, missing } = result();
    const [part] = parts;
    if (!part) throw new Error('Nothing was taken.');
    return { part, missing };
  }
  return {
    chunks,
    take,
    /** Brings all of it back to a folder, and answers that. */
    async bringBack({ part }: Taken, name: string): Promise<string> {
      const folder = `${place}-${name}`;
      const placeOf = (path: string) => join(folder, path);
      const miss = (sentence: string) => {
        throw new Error(sentence);
      };
      await restoreTree(entriesOf(chunks, part), createChunkReader(chunks), { placeOf, miss, signal });
      return folder;
    },
    pathsIn: async ({ part }: Taken) =>
      (await Array.fromAsync(entriesOf(chunks, part))).map(({ path }) => path),
  };
}
