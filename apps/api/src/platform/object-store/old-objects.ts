import type { ObjectStore, StoredObject } from './object-store.ts';

/** Longer than any request: an object of this age that no row names will not be named by the one that stored it. */
export const ORPHAN_MS = 60 * 60 * 1000;
const BATCH = 500;

/** The keys of objects that are no request's work in progress, in batches for one query each. */
export async function* oldObjects(objects: ObjectStore, prefix: string): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const object of objects.list(prefix)) {
    if (isOld(object)) batch.push(object.key);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export function isOld({ storedAt }: StoredObject): boolean {
  return storedAt.getTime() < Date.now() - ORPHAN_MS;
}
