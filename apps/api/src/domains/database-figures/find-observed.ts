import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { conflict, unavailable } from '../../core/errors.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { PostgresObserver } from '../databases/engines/postgres/observer.ts';
import { type DatabaseRow, findAvailable } from '../databases/read.ts';
import { failureOf } from '../databases/server-failure.ts';

/** Throws 404, 409 NOT_POSTGRESQL and NOT_AVAILABLE. */
export async function findObserved(db: Kysely<Database>, ownerId: string, id: string): Promise<DatabaseRow> {
  const row = await findAvailable(db, ownerId, id);
  if (row.type === 'postgresql') return row;
  throw conflict('NOT_POSTGRESQL', 'There are figures of PostgreSQL databases only.');
}

export type FiguresParts = Pick<DatabasesParts, 'servers' | 'log'>;

/** Throws 503 where the servers of this installation cannot be looked at. */
export function observerOf({ servers }: Pick<FiguresParts, 'servers'>): PostgresObserver {
  const { observer } = servers.postgresql;
  if (!observer) throw unavailable(failureOf(servers.postgresql));
  return observer;
}
