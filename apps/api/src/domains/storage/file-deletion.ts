import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs, Queue } from '../../platform/jobs.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { oldObjects } from '../../platform/object-store/old-objects.ts';
import { FILE_OBJECTS } from './create.ts';

export type FileDeletion = Queue<{ objectKey: string }>;

/** Deletes the bytes of files whose rows are deleted, after the transaction that did so. */
export function createFileDeletion(jobs: Jobs, objects: ObjectStore): FileDeletion {
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
