import type { ManagedDatabase } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict, notFound } from '../../core/errors.ts';

export type DatabaseRow = Selectable<Database['managedDatabases']>;

/** Someone's databases with exactly what the contract shows. */
export function databasesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('managedDatabases')
    .where('ownerId', '=', ownerId)
    .select([
      ...(['id', 'name', 'type', 'region', 'storageSize', 'status', 'error'] as const),
      ...(['passwordChanged', 'activity', 'serverVersion as version', 'sleepAfter'] as const),
      ...([
        'sizeClass',
        'storageState',
        'freeingUntil',
        'work',
        'workPercent',
        'workError',
        'createdAt',
      ] as const),
    ]);
}

export async function findDatabase(
  db: Kysely<Database>,
  ownerId: string,
  id: string,
): Promise<ManagedDatabase> {
  const database = await databasesOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!database) throw notFound();
  return database;
}

/** With its secrets, to work with at its server. Throws 404, and 409 NOT_AVAILABLE while there is nothing there. */
export async function findAvailable(db: Kysely<Database>, ownerId: string, id: string): Promise<DatabaseRow> {
  const row = await db
    .selectFrom('managedDatabases')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  assertAvailable(row);
  return row;
}

export function assertAvailable({ status }: Pick<DatabaseRow, 'status'>): void {
  if (status === 'creating') {
    throw conflict('NOT_AVAILABLE', 'This database is still being created. Try again in a moment.');
  }
  if (status === 'failed') {
    throw conflict('NOT_AVAILABLE', 'This database could not be created. Retry it first.');
  }
}

/** Of a row that says `creating`: whether it begins empty, and is not made of what was kept of another one. */
export const isNew = sql<boolean>`not exists (
  select from database_restores where database_id = managed_databases.id
)`;
