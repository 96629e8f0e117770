import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs, Queue } from '../../platform/jobs.ts';
import { type ProvisionParts, provision } from './provision.ts';
import { type DatabaseRow, isNew } from './read.ts';
import { settlePassword } from './rotation.ts';
import { assertHere } from './server-place.ts';

/** What is done at the servers of managed databases outside of a request's own transaction. */
export interface DatabaseWork {
  /** Makes the database of a row that says `creating`, in the background once `trx` commits; as `remove` does. */
  provision(trx: Kysely<Database>, id: string): Promise<void>;
  /** Removes what the server has of a deleted row. */
  remove(trx: Kysely<Database>, row: Pick<DatabaseRow, 'id' | 'type' | 'engineName' | 'home'>): Promise<void>;
  /** Has its server take up what a row says of storage, or of its class. */
  settings(
    trx: Kysely<Database>,
    row: Pick<DatabaseRow, 'id' | 'type' | 'engineName'>,
    kind?: 'settings' | 'resize',
  ): Promise<void>;
  /** The row once server and row agree on the password. Throws 404, and 503 while they do not. */
  settlePassword(id: string): Promise<DatabaseRow>;
  /**
   * Puts right what a process left behind that died: rows that nothing works on, and passwords half-way changed; and what
   * servers have lost.
   */
  sweep(): Promise<void>;
}

export interface DatabaseWorkParts extends ProvisionParts {
  jobs: Jobs;
}

type Piece =
  | { kind: 'create'; id: string }
  | ({ kind: 'remove' } & Pick<DatabaseRow, 'id' | 'type' | 'engineName' | 'home'>)
  | ({ kind: 'settings' | 'resize' } & Pick<DatabaseRow, 'id' | 'type' | 'engineName'>);

const AT_ONCE = 4;
const EXPIRES = 5 * 60;
/** For a week and longer, when a server is away: what is removed must not stay there for good. */
const RETRIES = 1000;
const LONGEST_PAUSE = 10 * 60;

/** Defines the queue; the jobs begin with `jobs.start()`. */
export function createDatabaseWork(parts: DatabaseWorkParts): DatabaseWork {
  const { jobs } = parts;
  const queue = jobs.queue<Piece>(
    'databases',
    {
      concurrency: AT_ONCE,
      expireInSeconds: EXPIRES,
      retryLimit: RETRIES,
      longestPause: LONGEST_PAUSE,
      // A removal waits for the creation of the same database.
      oneAtATimePerGroup: true,
    },
    (piece, signal) => carryOut(parts, piece, signal),
  );
  return {
    provision: (trx, id) => queue.enqueue(trx, { kind: 'create', id }, { group: id }),
    remove: (trx, { id, type, engineName, home }) =>
      queue.enqueue(trx, { kind: 'remove', id, type, engineName, home }, { group: id }),
    settings: (trx, { id, type, engineName }, kind = 'settings') =>
      queue.enqueue(trx, { kind, id, type, engineName }, { group: id }),
    settlePassword: (id) => settlePassword(parts, id),
    async sweep() {
      await provisionAbandoned(parts, queue);
      await settlePasswords(parts);
      await recoverLost(parts);
    },
  };
}

async function carryOut(parts: DatabaseWorkParts, piece: Piece, signal: AbortSignal): Promise<void> {
  if (piece.kind === 'create') return provision(parts, { id: piece.id, signal });
  if (piece.kind === 'remove') return remove(parts, piece);
  const server = parts.servers[piece.type];
  if (piece.kind === 'resize') return server.resize?.(piece.engineName);
  await server.settingsChanged?.(piece.engineName);
}

async function remove(
  { servers }: DatabaseWorkParts,
  { type, engineName, home }: Pick<DatabaseRow, 'type' | 'engineName' | 'home'>,
): Promise<void> {
  await assertHere(servers, { type, home });
  await servers[type].remove(engineName);
}

async function provisionAbandoned({ db }: DatabaseWorkParts, queue: Queue<Piece>): Promise<void> {
  // The rows first: what is enqueued after that has its job by the time the jobs are read.
  const rows = await db
    .selectFrom('managedDatabases')
    .select('id')
    .where('status', '=', 'creating')
    .where(isNew)
    .execute();
  if (rows.length === 0) return;
  const worked = new Set((await queue.unfinished()).map(({ id }) => id));
  for (const { id } of rows) {
    if (!worked.has(id)) await queue.enqueue(db, { kind: 'create', id }, { group: id });
  }
}

async function settlePasswords(parts: DatabaseWorkParts): Promise<void> {
  const { db, log } = parts;
  const rows = await db
    .selectFrom('managedDatabases')
    .select('id')
    .where('nextPassword', 'is not', null)
    .execute();
  for (const { id } of rows) {
    try {
      await settlePassword(parts, id);
    } catch (error) {
      log.warn({ err: error, database: id }, 'a password is still half-way changed');
    }
  }
}

async function recoverLost({ servers, log }: DatabaseWorkParts): Promise<void> {
  for (const server of Object.values(servers)) {
    // A server that is away says so by itself, and loses nothing more.
    if (server.unavailable() !== null) continue;
    try {
      await server.recover?.();
    } catch (error) {
      log.warn({ err: error, type: server.type }, 'what a server lost could not be made again');
    }
  }
}
