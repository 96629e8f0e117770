import { createHash } from 'node:crypto';
import type { Bytes, ObjectStore } from '../../platform/object-store/object-store.ts';

type Reading = Pick<ObjectStore, 'get' | 'list'>;

/** Compares every object that was restored with the original, unless that was deleted since. */
export async function compareObjects(
  restored: Reading,
  { originals, signal }: { originals: readonly Reading[]; signal: AbortSignal },
): Promise<{ compared: number; problems: string[] }> {
  const problems: string[] = [];
  let compared = 0;
  for await (const { key } of restored.list('')) {
    signal.throwIfAborted();
    const original = await firstOf(originals, key);
    if (!original) continue;
    const copy = await restored.get(key);
    const [one, other] = await Promise.all([digestOf(original), copy && digestOf(copy)]);
    compared += 1;
    if (one !== other) problems.push(`The object ${key} is not that of the installation.`);
  }
  return { compared, problems };
}

async function firstOf(stores: readonly Reading[], key: string): Promise<Bytes | undefined> {
  for (const store of stores) {
    const found = await store.get(key);
    if (found) return found;
  }
  return undefined;
}

export async function digestOf(source: Bytes): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of source) hash.update(piece);
  return hash.digest('hex');
}
