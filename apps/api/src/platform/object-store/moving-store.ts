import type { ObjectStore, StoredObject } from './object-store.ts';

/**
 * A store whose objects are still partly in a former one, from where they are being moved. All writing goes to the new
 * one, which also knows best what is under a key that both have.
 */
export function createMovingStore(store: ObjectStore, former: ObjectStore): ObjectStore {
  /** Asks the new one again at the end: the object may have been moved meanwhile. */
  async function first<T>(ask: (one: ObjectStore) => Promise<T | undefined>): Promise<T | undefined> {
    return (await ask(store)) ?? (await ask(former)) ?? (await ask(store));
  }

  return {
    put: (key, source) => store.put(key, source),
    receive: (key, source) => store.receive(key, source),
    get: (...asked) => first((one) => one.get(...asked)),
    stat: (key) => first((one) => one.stat(key)),

    async copy(key, to) {
      if (await store.copy(key, to)) return true;
      const bytes = await former.get(key);
      if (!bytes) return store.copy(key, to);
      await store.put(to, bytes);
      return true;
    },

    async delete(key) {
      // The former one first: what is only there could still be moved.
      await former.delete(key);
      await store.delete(key);
    },

    list: (prefix) => listBoth(store, former, prefix),
    uploads: store.uploads,

    async sweep() {
      await former.sweep();
      await store.sweep();
    },
  };
}

async function* listBoth(
  store: ObjectStore,
  former: ObjectStore,
  prefix: string,
): AsyncGenerator<StoredObject> {
  const seen = new Set<string>();
  for await (const object of former.list(prefix)) {
    seen.add(object.key);
    yield object;
  }
  for await (const object of store.list(prefix)) if (!seen.has(object.key)) yield object;
}

/** Whether a store has nothing. */
export async function isEmpty(store: ObjectStore): Promise<boolean> {
  for await (const _object of store.list('')) return false;
  return true;
}
