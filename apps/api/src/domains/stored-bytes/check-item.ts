import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { StoredItem } from './sources.ts';

/** What the disk itself gives up: its bytes, or what its file system knows of them. */
const GIVEN_UP = new Set(['EIO', 'EBADMSG', 'EUCLEAN']);

export type Problem = 'damaged' | 'missing';

type Readable = Pick<ObjectStore, 'get' | 'stat'>;
type Checked = Pick<StoredItem, 'keys' | 'size' | 'digest'>;

/**
 * Reads all bytes of an item; undefined where they are as they were stored. What cannot be read twice in a store that
 * answers otherwise is damaged too: a server may fail for one object alone. Rejects where that cannot be told now.
 */
export async function checkItem(objects: Readable, item: Checked): Promise<Problem | undefined> {
  try {
    return await compare(objects, item);
  } catch (error) {
    if (isGivenUp(error)) return 'damaged';
    await assertAnswers(objects, item);
  }
  try {
    return await compare(objects, item);
  } catch {
    await assertAnswers(objects, item);
    return 'damaged';
  }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GIVEN_UP.has(String(error.code));
}

/** Rejects where the store is away. */
async function assertAnswers(objects: Readable, { keys }: Checked): Promise<void> {
  for (const key of keys) await objects.stat(key);
}

async function compare(objects: Readable, { keys, size, digest }: Checked): Promise<Problem | undefined> {
  const { algorithm = 'md5', hex, parts } = digest ?? {};
  const whole = createHash(algorithm);
  let read = 0;
  for (const key of keys) {
    const part = parts ? createHash(algorithm) : whole;
    const stream = await objects.get(key);
    if (!stream) return 'missing';
    for await (const piece of stream) {
      part.update(piece);
      read += piece.length;
    }
    if (parts) whole.update(part.digest());
  }
  const isAsStored = read === size && (hex === undefined || whole.digest('hex') === hex);
  return isAsStored ? undefined : 'damaged';
}
