import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Condition } from './conditions.ts';

const TEXTS = {
  nearly: (name: string, size: number) =>
    `The database ${name} holds 95% of its ${size} GB or more. At the limit it becomes read-only: make it larger, or delete from it.`,
  full: (name: string, size: number) =>
    `The database ${name} is full (${size} GB) and read-only. Make it larger, or free space in it.`,
  closed: (name: string, size: number) =>
    `The database ${name} holds more than its ${size} GB and takes no connections. Make it larger, or free space in it.`,
} as const;

const LEVELS = { nearly: 1, full: 2, closed: 3 } as const;

/** Databases that reach the storage that was chosen for them. */
export async function databasesNearlyFull(db: Kysely<Database>): Promise<Condition[]> {
  const rows = await db
    .selectFrom('managedDatabases')
    .select(['ownerId', 'id', 'name', 'storageSize', 'storageState'])
    .where('storageState', '<>', 'ok')
    .execute();
  return rows.flatMap(({ ownerId, id, name, storageSize, storageState: state }) =>
    state === 'ok'
      ? []
      : {
          ...{ ownerId, subject: { kind: 'database', id, name }, path: `/databases/${id}` },
          ...{ text: TEXTS[state](name, storageSize), level: LEVELS[state] },
        },
  );
}
