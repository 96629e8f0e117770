import { join } from 'node:path';
import { openDiskStore } from '../platform/object-store/disk-store.ts';
import { createLanes } from './lanes.ts';
import { collect } from './repository/chunks.ts';
import type { Part } from './repository/manifest.ts';
import { createChunkReader, entriesOf } from './repository/part-reader.ts';
import type { Repository } from './repository/repository.ts';

/** Bytes of objects that are in memory at once, and how many are written at once. */
const SMALL_OBJECT = 1024 * 1024;
const AT_ONCE = 8;

/** Puts objects into a store below the folder `half`; how many. */
export async function restoreObjects(
  { chunks }: Repository,
  part: Part,
  { half, signal }: { half: string; signal: AbortSignal },
): Promise<number> {
  const store = await openDiskStore(join(half, 'objects'));
  const reader = createChunkReader(chunks);
  const writing = createLanes(AT_ONCE);
  let count = 0;
  for await (const entry of entriesOf(chunks, part)) {
    signal.throwIfAborted();
    if (entry.kind !== 'object') continue;
    count += 1;
    if (entry.size > SMALL_OBJECT) {
      await store.put(entry.path, reader.bytes(entry.at));
      continue;
    }
    const bytes = await collect(reader.bytes(entry.at));
    await writing.add(() => store.putWhole(entry.path, bytes));
  }
  await writing.done();
  return count;
}
