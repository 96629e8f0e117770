import type { Logger } from 'pino';
import type { Settings } from '../../../../../core/settings.ts';
import { findPrograms, isProgram } from '../../../../deployments/engine/process/find-program.ts';
import type { Cluster } from '../clusters/cluster.ts';
import type { StorageGuard } from '../clusters/storage-guard.ts';
import { createDoor, type DoorParts, type Entry, type Wanted } from '../door/door.ts';
import { verifierOf } from '../postgres-sessions.ts';
import { createPooler, type PoolerParts } from './pooler.ts';

/** The port where PostgreSQL databases are reached by way of a pooler. */
export interface PooledPort {
  /** Takes the port. What cannot be had is told by `at`, not thrown. */
  start(): Promise<void>;
  /** Where it is, or in one sentence why it is not. */
  at(): { port: number } | { reason: string };
  /** Ends the connections to a database, whose password is another from now on, or which is going. */
  end(database: string): void;
  stop(): Promise<void>;
}

interface Parts extends Pick<DoorParts, 'certificateFor' | 'key'>, Pick<PoolerParts, 'port' | 'idle'> {
  settings: Settings;
  find(database: string): Cluster | undefined;
  /** Why a database takes no connections at the moment. */
  refusalFor: StorageGuard['refusalFor'];
  log: Logger;
}

/** Where packages put servers, which a person's PATH often leaves out. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin';
const NOT_INSTALLED =
  'PgBouncer is not installed. An admin can install it on the server (apt-get install pgbouncer) and start Nephos again.';
/** Clients of one database: a pooler is for many. */
const MOST_CLIENTS = 200;

export function createPooledPort({
  settings,
  find,
  refusalFor,
  port,
  idle,
  certificateFor,
  key,
  log,
}: Parts): PooledPort {
  const { managedPostgresPooledPort: wanted, managedPgbouncerBin: given, dataDir, host } = settings;
  const program = given ?? findPrograms('pgbouncer', `${process.env.PATH ?? ''}:${SYSTEM_PATH}`)[0];
  const pooler =
    program && isProgram(program) ? createPooler({ program, dataDir, port, idle, log }) : undefined;
  const door = createDoor({
    ...{ admit, certificateFor, key, log },
    // Further users have names that another database's may have, too, and a pooler knows users by name alone.
    isThere: ({ user, database }) => user === database && find(database) !== undefined,
  });
  const clients = new Map<string, number>();
  let taken: number | undefined;
  let problem = given === undefined ? NOT_INSTALLED : `MANAGED_PGBOUNCER_BIN is no program: ${given}`;

  async function admit({ database }: Wanted): Promise<Entry> {
    const cluster = find(database);
    if (!cluster || !pooler) return undefined;
    // One that is closed is not woken to say so.
    const refusal = refusalFor(database);
    if (refusal !== undefined) return { refusal };
    const before = clients.get(database) ?? 0;
    if (before >= MOST_CLIENTS) return 'full';
    clients.set(database, before + 1);
    const leave = () => {
      const left = (clients.get(database) ?? 1) - 1;
      if (left === 0) clients.delete(database);
      else clients.set(database, left);
    };
    try {
      // Asked each time: its owner can change the password at the server.
      const verifier = await cluster.during((pool) => verifierOf(pool, database));
      if (verifier !== undefined) return { server: { path: await pooler.admit(database, verifier) }, leave };
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    return undefined;
  }

  return {
    async start() {
      if (!pooler || taken !== undefined) return;
      try {
        await pooler.clear();
        taken = await door.listen({ host, port: wanted });
      } catch (error) {
        problem = `MANAGED_POSTGRES_POOLED_PORT ${wanted} could not be taken: set it to another port.`;
        log.error({ err: error }, problem);
      }
    },
    at: () => (taken === undefined ? { reason: problem } : { port: taken }),
    end(database) {
      pooler?.forget(database);
      door.end(database);
    },
    async stop() {
      taken = undefined;
      await door.close();
      await pooler?.stop();
    },
  };
}
