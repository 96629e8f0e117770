import type { Bytes } from '../../platform/object-store/object-store.ts';
import { quotaExceeded, roomOf, type StorageQuota } from '../plans/storage-quota.ts';

/** By workspace: bytes that are on their way into the store here, which no row counts yet. */
const inFlight = new Map<string, number>();

/**
 * Passes on what `source` yields while all that is on its way for a workspace fits into the room that it had when this
 * began, and `spare` bytes that make way. So a thousand bodies at once cannot fill the disk, each of which would fit
 * alone. Throws 403 QUOTA_EXCEEDED.
 */
export async function* whileThereIsRoom(
  source: Bytes,
  { ownerId, quota, spare = 0 }: { ownerId: string; quota: StorageQuota; spare?: number },
): AsyncGenerator<Uint8Array> {
  const room = roomOf(quota) + spare;
  let own = 0;
  try {
    for await (const chunk of source) {
      own += chunk.length;
      const all = (inFlight.get(ownerId) ?? 0) + chunk.length;
      inFlight.set(ownerId, all);
      if (all > room) throw quotaExceeded(quota);
      yield chunk;
    }
  } finally {
    const others = (inFlight.get(ownerId) ?? 0) - own;
    if (others > 0) inFlight.set(ownerId, others);
    else inFlight.delete(ownerId);
  }
}
