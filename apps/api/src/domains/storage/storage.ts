import type { contract } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs, Queue } from '../../platform/jobs.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { oldObjects } from '../../platform/object-store/old-objects.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { createFile, FILE_OBJECTS, uploadFile } from './create.ts';
import { downloadFile, downloadPublicFile, listWithData } from './download.ts';
import { listFiles, listFolders, removeFile, updateFile } from './service.ts';

/** What the domain was made with, and what deletes the bytes of files whose rows are gone. */
export interface StorageParts extends Pick<Platform, 'settings' | 'objects' | 'log'> {
  deletion: Queue<{ objectKey: string }>;
}

/** Files: their rows in the database, and their bytes in the object store. */
export function createStorage({
  settings,
  db,
  jobs,
  objects,
  log,
}: Pick<Platform, 'settings' | 'db' | 'jobs' | 'objects' | 'log'>): Domain<typeof contract.storage> &
  StorageParts {
  const parts: StorageParts = { settings, objects, log, deletion: createDeletion(jobs, objects) };
  return {
    ...parts,
    handlers: {
      list: ({ ctx, input }) => listFiles(ctx, settings, input),
      listWithData: ({ ctx, input }) => listWithData(ctx, parts, input),
      create: ({ ctx, input }) => createFile(ctx, parts, input),
      folders: ({ ctx }) => listFolders(ctx),
      upload: ({ ctx, input, ...sent }) => uploadFile(ctx, parts, input, sent),
      download: ({ ctx, input }) => downloadFile(ctx, parts, input),
      publicFile: ({ ctx, input }) => downloadPublicFile(ctx, parts, input),
      update: ({ ctx, input }) => updateFile(ctx, parts, input),
      remove: ({ ctx, input }) => removeFile(ctx, parts, input.id),
    },
    sweeps: { fileOrphans: () => sweepOrphans(db, objects) },
  };
}

function createDeletion(jobs: Jobs, objects: ObjectStore): StorageParts['deletion'] {
  return jobs.queue<{ objectKey: string }>(
    'storage.delete-object',
    { concurrency: 2, expireInSeconds: 60, retryLimit: 5 },
    ({ objectKey }) => objects.delete(objectKey),
  );
}

/** Deletes objects that no row refers to: of uploads cut between the two, and of accounts that are gone. */
export async function sweepOrphans(db: Kysely<Database>, objects: ObjectStore): Promise<void> {
  for await (const keys of oldObjects(objects, FILE_OBJECTS)) {
    const rows = await db
      .selectFrom('storedFiles')
      .select('objectKey')
      .where('objectKey', 'in', keys)
      .execute();
    const referenced = new Set(rows.map(({ objectKey }) => objectKey));
    for (const key of keys) if (!referenced.has(key)) await objects.delete(key);
  }
}
