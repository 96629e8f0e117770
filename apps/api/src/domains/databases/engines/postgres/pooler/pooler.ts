import type { Logger } from 'pino';
import { clearPgbouncer, type Pgbouncer, type PgbouncerParts, startPgbouncer } from './pgbouncer.ts';

/** Transaction pooling for all databases, by a PgBouncer that runs from when somebody first wants it. */
export interface Pooler {
  /** Ends what a killed process of ours left running. */
  clear(): Promise<void>;
  /** The socket where the user of that name is let in with the password of this verifier. */
  admit(name: string, verifier: string): Promise<string>;
  /** Lets nobody in by that name until it is admitted again. */
  forget(name: string): void;
  stop(): Promise<void>;
}

export interface PoolerParts extends Omit<PgbouncerParts, 'port'> {
  /** The port of all databases, once it is known. */
  port(): number;
  log: Logger;
}

export function createPooler({ port, log, ...rest }: PoolerParts): Pooler {
  const verifiers = new Map<string, string>();
  let running: Promise<Pgbouncer> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let stopped = false;

  async function begin(): Promise<Pgbouncer> {
    if (stopped) throw new Error('The console is stopping.');
    // Whom the last one let in comes anew.
    verifiers.clear();
    const bouncer = await startPgbouncer({ ...rest, port: port() });
    void bouncer.exited.then(() => {
      running = undefined;
      if (!stopped) log.error('PgBouncer exited unexpectedly; the next connection starts it again');
    });
    return bouncer;
  }

  function open(): Promise<Pgbouncer> {
    running ??= begin().catch((error) => {
      running = undefined;
      log.error({ err: error }, 'PgBouncer could not be started');
      throw error;
    });
    return running;
  }

  async function admit(name: string, verifier: string): Promise<string> {
    const bouncer = await open();
    if (verifiers.get(name) !== verifier) {
      verifiers.set(name, verifier);
      try {
        await bouncer.admit(verifiers);
      } catch (error) {
        verifiers.delete(name);
        throw error;
      }
    }
    return bouncer.socket;
  }

  return {
    clear: () => clearPgbouncer(rest.dataDir),
    admit(name, verifier) {
      // One after the other: each writes down all that are let in.
      const turn = queue.then(() => admit(name, verifier));
      queue = turn.catch(() => {});
      return turn;
    },
    forget: (name) => void verifiers.delete(name),
    async stop() {
      stopped = true;
      await queue;
      await (await running?.catch(() => undefined))?.stop();
    },
  };
}
