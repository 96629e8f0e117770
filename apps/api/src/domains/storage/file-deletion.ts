import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs, Queue } from '../../platform/jobs.ts';
import type { ObjectStore, StoredObject } from '../../platform/object-store/object-store.ts';
import { FILE_OBJECTS } from './create.ts';

export type FileDeletion = Queue<{ objectKey: string }>;

/** Longer than any request: an object of this age without a row will never get one. */
const ORPHAN_MS = 60 * 60 * 1000;
const BATCH = 500;

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
  const before = Date.now() - ORPHAN_MS;
  let batch: StoredObject[] = [];
  for await (const object of objects.list(FILE_OBJECTS)) {
    if (object.storedAt.getTime() < before) batch.push(object);
    if (batch.length < BATCH) continue;
    await deleteOrphans(db, objects, batch);
    batch = [];
  }
  await deleteOrphans(db, objects, batch);
}

async function deleteOrphans(
  db: Kysely<Database>,
  objects: ObjectStore,
  batch: readonly StoredObject[],
): Promise<void> {
  if (batch.length === 0) return;
  const keys = batch.map(({ key }) => key);
  const rows = await db
    .selectFrom('storedFiles')
    .select('objectKey')
    .where('objectKey', 'in', keys)
    .execute();
  const referenced = new Set(rows.map(({ objectKey }) => objectKey));
  for (const key of keys) if (!referenced.has(key)) await objects.delete(key);
}
