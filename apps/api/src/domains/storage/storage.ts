import type { contract } from '@nephos/contracts';
import type { Jobs } from '../../platform/jobs.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { downloadArchive } from './archive.ts';
import { createFile, uploadFile } from './create.ts';
import { downloadFile, downloadPublicFile, listWithData } from './download.ts';
import { type BytesDeletion, type BytesToDelete, pieceKey } from './file-bytes.ts';
import { moveFolder, removeFolder } from './folder-changes.ts';
import { listFolders, listSubfolders } from './folders.ts';
import { forEachFile } from './many-files.ts';
import { sweepOrphans } from './orphans.ts';
import { sweepLifecycles } from './s3/lifecycle-sweep.ts';
import { addS3 } from './s3/s3.route.ts';
import { listFiles, removeFile, updateFile } from './service.ts';
import { createShareSigner, downloadSharedFile, type ShareSigner, shareFile, unshareFile } from './share.ts';

/** What the domain was made with, and what deletes the bytes of files whose rows are gone. */
export interface StorageParts extends Pick<Platform, 'settings' | 'objects' | 'log'> {
  deletion: BytesDeletion;
  signer: ShareSigner;
}

/** Files: their rows in the database, and their bytes in the object store. */
export function createStorage(
  platform: Pick<Platform, 'settings' | 'db' | 'jobs' | 'objects' | 'log' | 'secrets' | 'callCounts'>,
): Domain<typeof contract.storage> & StorageParts {
  const { settings, db, jobs, objects, secrets, log } = platform;
  const parts: StorageParts = {
    settings,
    objects,
    log,
    deletion: createDeletion(jobs, objects),
    signer: createShareSigner(secrets),
  };
  return {
    ...parts,
    handlers: {
      list: ({ ctx, input }) => listFiles(ctx, settings, input),
      listWithData: ({ ctx, input }) => listWithData(ctx, parts, input),
      create: ({ ctx, input }) => createFile(ctx, parts, input),
      folders: ({ ctx, input }) => listFolders(ctx, input?.bucketId),
      subfolders: ({ ctx, input }) => listSubfolders(ctx, input),
      moveFolder: ({ ctx, input }) => moveFolder(ctx, input),
      async removeFolder({ ctx, input, once }) {
        await removeFolder(ctx, parts, input);
        return once(async () => ({ success: true as const }));
      },
      share: ({ ctx, input }) => shareFile(ctx, parts, input),
      unshare: ({ ctx, input }) => unshareFile(ctx, input.id),
      sharedFile: ({ ctx, input }) => downloadSharedFile(ctx, parts, input),
      upload: ({ ctx, input, ...sent }) => uploadFile(ctx, parts, input, sent),
      download: ({ ctx, input }) => downloadFile(ctx, parts, input),
      archive: ({ ctx, input }) => downloadArchive(ctx, parts, input),
      publicFile: ({ ctx, input }) => downloadPublicFile(ctx, parts, input),
      update: ({ ctx, input }) => updateFile(ctx, parts, input),
      moveMany: ({ ctx, input: { ids, ...to } }) =>
        forEachFile(ctx, ids, (each, id) => updateFile(each, parts, { id, ...to })),
      removeMany: ({ ctx, input }) => forEachFile(ctx, input.ids, (each, id) => removeFile(each, parts, id)),
      remove: ({ ctx, input }) => removeFile(ctx, parts, input.id),
    },
    routes: (app) => addS3(app, { ...platform, ...parts }),
    sweeps: {
      fileOrphans: () => sweepOrphans(db, objects),
      lifecycles: () => sweepLifecycles(db, parts),
    },
  };
}

function createDeletion(jobs: Jobs, objects: ObjectStore): BytesDeletion {
  return jobs.queue<BytesToDelete>(
    'storage.delete-object',
    { concurrency: 2, expireInSeconds: 60, retryLimit: 5 },
    async (bytes) => {
      for (const key of keysOf(bytes)) await objects.delete(key);
    },
  );
}

function keysOf(bytes: BytesToDelete): readonly string[] {
  if ('keys' in bytes) return bytes.keys;
  const { objectKey, names } = bytes;
  return names?.map((name) => pieceKey(objectKey, name)) ?? [objectKey];
}
