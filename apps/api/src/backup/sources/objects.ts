import { MIRROR_OBJECTS } from '../../domains/containers/mirror/mirror-store.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Copying } from './copying.ts';

export const OBJECTS_PART = 'objects';

/**
 * Takes every object, but for what is mirrored of another registry: that is fetched again when it is pulled. Objects never
 * change, so what an earlier backup has of the same size is not read again.
 */
export function copyObjects(
  copying: Copying,
  stores: readonly Pick<ObjectStore, 'get' | 'list'>[],
): Promise<void> {
  return copying.part(OBJECTS_PART, async (part) => {
    // Of one store, each comes once; there may be millions.
    const taken = new Set<string>();
    const remember = (key: string) => stores.length > 1 && taken.add(key);
    for (const objects of stores) {
      for await (const { key, size } of objects.list('')) {
        copying.signal.throwIfAborted();
        if (taken.has(key) || key.startsWith(MIRROR_OBJECTS)) continue;
        const before = await part.earlier(key);
        if (before?.kind === 'object' && before.size === size) {
          await part.note(before);
          remember(key);
          continue;
        }
        const stored = await objects.get(key, size > 0 ? { start: 0, end: size - 1 } : undefined);
        // One that nothing names any more may go; those of the snapshot are kept from it.
        if (!stored) continue;
        await part.add({ kind: 'object', path: key, size, at: [] }, stored);
        remember(key);
      }
    }
  });
}
