import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { forEachFile } from './many-files.ts';
import type { StorageParts } from './storage.ts';
import { emptyTrash, listTrash, removeTrashed, restoreFile, sweepTrash } from './trash.ts';

/** Files that were deleted in the console, for seven days. */
export function createStorageTrash(
  { db }: Pick<Platform, 'db'>,
  parts: StorageParts,
): Domain<typeof contract.storageTrash> {
  return {
    handlers: {
      list: ({ ctx, input }) => listTrash(ctx, input),
      restore: ({ ctx, input }) => restoreFile(ctx, parts, input.id),
      remove: ({ ctx, input }) => removeTrashed(ctx, parts, input.id),
      restoreMany: ({ ctx, input }) =>
        forEachFile(ctx, input.ids, (each, id) => restoreFile(each, parts, id)),
      removeMany: ({ ctx, input }) =>
        forEachFile(ctx, input.ids, (each, id) => removeTrashed(each, parts, id)),
      async empty({ ctx, once }) {
        await emptyTrash(ctx, parts);
        return once(async () => ({ success: true as const }));
      },
    },
    sweeps: { trash: () => sweepTrash(db, parts) },
  };
}
