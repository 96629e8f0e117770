import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { byteSize } from '../../../../platform/byte-size.ts';
import { createTurns } from '../../../../platform/turns.ts';
import { type MoveSteps, NotMovable } from '../engine.ts';
import { closeDatabase, openDatabase } from './closed-databases.ts';
import { type BaseBackup, beginBaseBackup } from './clusters/base-backup.ts';
import type { Clusters } from './clusters/clusters.ts';
import { finishReplay, unpackBase } from './clusters/recovery.ts';
import type { ServerFigures } from './clusters/server-figures.ts';
import { leaveOnly } from './leave-only.ts';
import { dropDatabase, dropRole, limitConnections } from './postgres-databases.ts';
import type { PostgresServer } from './postgres-server.ts';
import { scramVerifier } from './scram-verifier.ts';

const { escapeLiteral } = pg;

/** Of all the work: copying, and then reading the log. */
const COPYING = 0.8;
const REPLAYING = 0.1;
/** What a copy takes of the disk, as a share of what is copied, and bytes that stay free beside it. */
const ROOM = 1.1;
const SPARE = 512 * 1024 ** 2;
const AGAIN_MS = 1000;

interface MoverParts {
  clusters: Clusters;
  /** Has the databases that share a server. */
  shared: Pick<PostgresServer, 'open'>;
  figuresFor(name: string): Promise<ServerFigures>;
  /** Finds the folder of clusters. */
  findRoot(): string;
  log: Logger;
}

/** Gives databases that share a server servers of their own. */
export interface Mover {
  isMoving(name: string): boolean;
  /** As `move` of an engine. Whatever ended it before, it may be repeated. */
  move(name: string, steps: MoveSteps): Promise<boolean>;
  /** Does something with a database where it is. Rejects while it is being moved; a move waits until it is done. */
  beside<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Does something with a database once no move of it is under way. */
  after<T>(name: string, work: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function createMover({ clusters, shared, figuresFor, findRoot, log }: MoverParts): Mover {
  const moving = new Set<string>();
  const turns = createTurns();
  let stopped = false;

  async function move(name: string, steps: MoveSteps): Promise<boolean> {
    const { pool } = await shared.open();
    if (!clusters.find(name)) {
      if (!(await isThere(pool, name))) return false;
      await copyAway(pool, name, steps);
    }
    // Only now is there another one.
    await dropDatabase(pool, name);
    await dropRole(pool, name);
    return true;
  }

  async function copyAway(pool: pg.Pool, name: string, steps: MoveSteps): Promise<void> {
    const size = await sizeOf(pool);
    await assertRoom(size);
    try {
      await closeDatabase(pool, name);
      await copy(pool, name, { size, ...steps });
    } catch (error) {
      await reopen(pool, name);
      throw error;
    }
  }

  async function assertRoom(size: number): Promise<void> {
    const { bavail, bsize } = await statfs(findRoot());
    const needed = size * ROOM + SPARE;
    if (bavail * bsize >= needed) return;
    throw new NotMovable(
      `There is not enough room on the disk: moving it takes ${byteSize(needed)} for a while.`,
    );
  }

  /** Its server may be just restarting; where the console stops meanwhile, its next start opens it. */
  async function reopen(pool: pg.Pool, name: string): Promise<void> {
    while (!stopped) {
      try {
        return await openDatabase(pool, name);
      } catch (error) {
        log.warn({ err: error, database: name }, 'a database could not be opened again');
      }
      await wait(AGAIN_MS, undefined, { ref: false });
    }
  }

  /** All of the shared server, since only that can be copied: what does not belong in there goes before it has its name. */
  async function copy(
    pool: pg.Pool,
    name: string,
    { size, progress, signal }: MoveSteps & { size: number },
  ): Promise<void> {
    const from = new URL(pool.options.connectionString ?? '');
    let backup: BaseBackup | undefined;
    await clusters.recover(name, {
      ...{ until: undefined, signal },
      async fill(data) {
        backup = await beginBaseBackup(from.href, { withLog: true });
        const told = counted(backup.archive, {
          signal,
          tell: (bytes) => progress(Math.min(bytes / size, 1) * COPYING),
        });
        try {
          await unpackBase(Readable.from(told, { objectMode: false }), data, signal);
        } finally {
          backup.archive.destroy();
        }
        await writeFile(join(data, 'pg_hba.conf'), 'local all postgres scram-sha-256\n');
      },
      async settle({ socketFolder, password }) {
        if (!backup) throw new Error('Nothing was copied.');
        const { start: first, end } = backup;
        const copied = new pg.Pool({
          connectionString: `postgres://postgres:${from.password}@${encodeURIComponent(socketFolder)}/postgres`,
          max: 2,
        });
        copied.on('error', () => {});
        try {
          const replaying = {
            ...{ first, last: await end, until: undefined, signal },
            progress: async (done: number) => progress(COPYING + done * REPLAYING),
          };
          const client = await copied.connect();
          // The pool hears of those only that nobody uses.
          client.on('error', () => {});
          await finishReplay(client, replaying).finally(() => client.release());
          await openDatabase(copied, name);
          await leaveOnly(copied, name);
          const { connections } = await figuresFor(name);
          await limitConnections(copied, name, connections);
          const verifier = escapeLiteral(await scramVerifier(password));
          await copied.query(`alter role postgres password ${verifier}`);
          await forgetFiles(copied);
          return true;
        } finally {
          await copied.end();
        }
      },
    });
  }

  return {
    isMoving: (name) => moving.has(name),
    async move(name, steps) {
      moving.add(name);
      try {
        return await turns(name, () => move(name, steps));
      } finally {
        moving.delete(name);
      }
    },
    async beside(name, work) {
      if (moving.has(name)) throw new Error(`The database ${name} is being moved.`);
      return turns(name, work);
    },
    after: turns,
    stop() {
      stopped = true;
    },
  };
}

async function isThere(pool: pg.Pool, name: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

/** Bytes of all databases of a server. */
async function sizeOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ size: string }>(
    'select sum(pg_database_size(oid)) as size from pg_database',
  );
  return Number(rows[0]?.size ?? 0);
}

async function* counted(
  archive: Readable,
  { signal, tell }: { signal: AbortSignal; tell: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  const end = () => archive.destroy(signal.reason);
  signal.addEventListener('abort', end);
  let bytes = 0;
  try {
    signal.throwIfAborted();
    for await (const chunk of archive as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      tell(bytes);
      yield chunk;
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const SHARED_CATALOGS = [
  ...['pg_auth_members', 'pg_authid', 'pg_database', 'pg_db_role_setting', 'pg_parameter_acl'],
  ...['pg_shdepend', 'pg_shdescription', 'pg_shseclabel'],
];

/** Lets nothing of what was removed stay in files: neither of its log, nor of what all databases of a server share. */
async function forgetFiles(pool: pg.Pool): Promise<void> {
  for (const table of SHARED_CATALOGS) await pool.query(`vacuum (full) pg_catalog.${table}`);
  for (const statement of ['checkpoint', 'select pg_switch_wal()', 'checkpoint']) await pool.query(statement);
}
