import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { beginFile, completeFile, getUpload, listUploads, putFilePart } from './console-uploads.ts';
import { abortUpload, sweepUploads } from './multipart.ts';
import type { StorageParts } from './storage.ts';

/** Files of any size, which arrive in parts. */
export function createStorageUploads(
  { db }: Pick<Platform, 'db'>,
  parts: StorageParts,
): Domain<typeof contract.storageUploads> {
  return {
    handlers: {
      list: ({ ctx }) => listUploads(ctx),
      get: ({ ctx, input }) => getUpload(ctx, input.id),
      begin: ({ ctx, input }) => beginFile(ctx, parts, input),
      putPart: ({ ctx, input, body }) => putFilePart(ctx, parts, input, body),
      complete: ({ ctx, input }) => completeFile(ctx, parts, input),
      async abort({ ctx, input }) {
        await abortUpload(ctx, parts, input.id);
        return { success: true };
      },
    },
    sweeps: { staleUploads: () => sweepUploads(db, parts) },
  };
}
