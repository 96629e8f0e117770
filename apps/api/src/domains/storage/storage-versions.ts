import type { contract } from '@nephos/contracts';
import type { Domain } from '../domain.ts';
import { downloadVersion, listVersions, removeVersion, restoreVersion } from './former-versions.ts';
import type { StorageParts } from './storage.ts';

/** What files of buckets that keep versions were before. */
export function createStorageVersions(parts: StorageParts): Domain<typeof contract.storageVersions> {
  return {
    handlers: {
      list: ({ ctx, input }) => listVersions(ctx, input.id),
      download: ({ ctx, input }) => downloadVersion(ctx, parts, input.id),
      restore: ({ ctx, input }) => restoreVersion(ctx, parts, input.id),
      remove: ({ ctx, input }) => removeVersion(ctx, parts, input.id),
    },
  };
}
