import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { StoredItem } from './sources.ts';

/** What the disk itself gives up: its bytes, or what its file system knows of them. */
const GIVEN_UP = new Set(['EIO', 'EBADMSG', 'EUCLEAN']);

export type Problem = 'damaged' | 'missing';

/** Reads all bytes of an item; undefined where they are as they were stored. Rejects where that cannot be told now. */
export async function checkItem(
  objects: Pick<ObjectStore, 'get'>,
  { keys, size, digest }: Pick<StoredItem, 'keys' | 'size' | 'digest'>,
): Promise<Problem | undefined> {
  const { algorithm = 'md5', hex, parts } = digest ?? {};
  const whole = createHash(algorithm);
  let read = 0;
  for (const key of keys) {
    const part = parts ? createHash(algorithm) : whole;
    try {
      const stream = await objects.get(key);
      if (!stream) return 'missing';
      for await (const piece of stream) {
        part.update(piece);
        read += piece.length;
      }
    } catch (error) {
      if (error instanceof Error && 'code' in error && GIVEN_UP.has(String(error.code))) return 'damaged';
      throw error;
    }
    if (parts) whole.update(part.digest());
  }
  const isAsStored = read === size && (hex === undefined || whole.digest('hex') === hex);
  return isAsStored ? undefined : 'damaged';
}
