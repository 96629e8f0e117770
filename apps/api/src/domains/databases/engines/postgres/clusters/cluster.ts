import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clearCluster, type PrivateCluster, SOCKET, startCluster } from '@nephos/db/embedded';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { LastStart } from '../../engine.ts';
import type { InPlace } from '../../places.ts';
import { createAdminPool } from '../postgres-administration.ts';
import type { ServerFigures } from './server-figures.ts';
import { StillStarting } from './still-starting.ts';

export type Activity = 'asleep' | 'waking' | 'awake';

/** One database's own PostgreSQL, which runs while somebody uses it. */
export interface Cluster {
  readonly activity: Activity;
  /** Connections of clients. */
  readonly connections: number;
  /** Milliseconds since it was last in use; 0 while it is, or while it does not run. */
  idleFor(): number;
  readonly lastStart: LastStart;
  /**
   * Takes a client in: starts the server where it sleeps, and waits while the password is being changed. Resolves with
   * the socket of the server, or undefined where there is no room. Who was let in has to `leave`. Rejects with
   * `StillStarting` while the server recovers for long, as all do that need it.
   */
  enter(): Promise<string | undefined>;
  leave(): void;
  /** Does something as its administrator. */
  during<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>;
  /** The same, while no client is let in. */
  alone<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>;
  /**
   * Looks at it as its administrator where it runs, which neither keeps it awake nor holds up its sleep. Resolves with
   * undefined where it sleeps.
   */
  observe<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T | undefined>;
  /** Stops it and does something while no client is let in; `start` runs it meanwhile, for its administrator. */
  atRest<T>(work: (start: () => Promise<pg.Pool>) => Promise<T>): Promise<T>;
  wake(): Promise<void>;
  /**
   * Restarts it where it runs with other figures than it is to have, once what is done as its administrator has ended; who
   * comes during the restart waits.
   */
  refit(): Promise<void>;
  /** Ends what a killed process of ours left running on it. */
  clear(): Promise<void>;
  /** Ends the server unless somebody uses it by now. */
  sleep(): Promise<void>;
  /** Ends the server and its sessions; then does something with its files. It does not run again. */
  end(last?: () => Promise<void>): Promise<void>;
}

export interface ClusterParts {
  /** The folder of all clusters. */
  root: string;
  name: string;
  log: Logger;
  /** What it is to be set up for, asked at each start. */
  figures(): Promise<ServerFigures>;
  /** Servers that start share the machine. */
  inPlace: InPlace;
  /** Told of each change of `activity`. */
  told(activity: Activity): void;
  /** Milliseconds that somebody waits for a server that starts; by default 30 s. */
  patience?: number | undefined;
}

/** Our own sessions write where a full database makes those of others read-only. */
const PARAMETERS = '-c default_transaction_read_only=off';
const POLL_MS = 10;
/** Milliseconds that most of what is done as an administrator takes. */
const BRIEF = 1000;
const LONG_POLL_MS = 100;
/** Milliseconds after a failed start in which there is no other. */
const RETRY_PAUSE = 1000;
const PATIENCE = 30_000;

interface Awake extends PrivateCluster {
  figures: ServerFigures;
  pool: pg.Pool;
}

export function createCluster({
  root,
  name,
  log,
  figures,
  inPlace,
  told,
  patience = PATIENCE,
}: ClusterParts): Cluster {
  let awake: Awake | undefined;
  let starting: { done: Promise<Awake>; since: number } | undefined;
  const ending = new AbortController();
  let activity: Activity = 'asleep';
  let connections = 0;
  /** Pieces of our own work under way. */
  let tasks = 0;
  let idleSince = performance.now();
  let lastStart: LastStart = 'untried';
  let problem: unknown;
  let failedAt = Number.NEGATIVE_INFINITY;
  let ended = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** One after the other: starting, stopping, and what lets nobody in meanwhile. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  }

  function become(next: Activity): void {
    activity = next;
    told(next);
  }

  function assertStays(): void {
    if (ended) throw new Error('This database is being removed, or the console is stopping.');
  }

  /** A start goes on when nobody waits for it any more: what comes next takes it up. */
  async function start(): Promise<Awake> {
    assertStays();
    if (awake) return awake;
    if (performance.now() - failedAt < RETRY_PAUSE) throw problem;
    if (!starting) {
      const done = launch().finally(() => {
        starting = undefined;
      });
      starting = { done, since: performance.now() };
    }
    const { done, since } = starting;
    return Promise.race([done, giveUp(since + patience - performance.now())]);
  }

  async function giveUp(after: number): Promise<never> {
    await wait(Math.max(after, 0), undefined, { ref: false });
    throw new StillStarting();
  }

  async function launch(): Promise<Awake> {
    become('waking');
    try {
      const fitted = await figures();
      const { launched } = await inPlace(async () => {
        assertStays();
        const launched = startCluster(root, name, { parameters: fitted.parameters, signal: ending.signal });
        // One that recovers for long does not keep others from starting.
        await Promise.race([launched, wait(patience, undefined, { ref: false })]);
        return { launched };
      });
      const cluster = await launched;
      const folder = dirname(cluster.sockets.at(SOCKET));
      const user = `postgres:${encodeURIComponent(cluster.password)}`;
      const pool = createAdminPool(
        `postgres://${user}@${encodeURIComponent(folder)}/postgres`,
        log,
        PARAMETERS,
      );
      const mine = { ...cluster, pool, figures: fitted };
      awake = mine;
      void cluster.server.exited.then(() => (awake === mine ? died(mine) : undefined));
    } catch (error) {
      lastStart = 'failed';
      problem = error;
      failedAt = performance.now();
      become('asleep');
      if (!ended) log.error({ err: error, database: name }, 'the server of a database could not be started');
      throw error;
    }
    lastStart = 'worked';
    idleSince = performance.now();
    become('awake');
    return awake;
  }

  async function died(mine: Awake): Promise<void> {
    log.error({ database: name }, 'the server of a database exited unexpectedly');
    awake = undefined;
    become('asleep');
    await letGo(mine);
  }

  async function letGo({ pool, sockets }: Awake): Promise<void> {
    await pool.end().catch(() => {});
    await sockets[Symbol.asyncDispose]();
  }

  async function stop(): Promise<void> {
    const mine = awake;
    if (!mine) return;
    awake = undefined;
    await mine.server.stop();
    await letGo(mine);
    become('asleep');
  }

  async function working<T>(work: (pool: pg.Pool) => Promise<T>, pool: pg.Pool): Promise<T> {
    try {
      return await work(pool);
    } finally {
      tasks -= 1;
      idleSince = performance.now();
    }
  }

  async function take(): Promise<pg.Pool> {
    const { pool } = await start();
    tasks += 1;
    return pool;
  }

  /** Resolves to false where something is being done as its administrator that takes long. */
  async function refitted(): Promise<boolean> {
    if (!awake || awake.figures === (await figures())) return true;
    for (const since = performance.now(); tasks > 0; await wait(POLL_MS)) {
      if (performance.now() - since > BRIEF) return false;
    }
    await stop();
    await start();
    return true;
  }

  return {
    get activity() {
      return activity;
    },
    get connections() {
      return connections;
    },
    get lastStart() {
      return lastStart;
    },
    idleFor: () => (awake && connections === 0 && tasks === 0 ? performance.now() - idleSince : 0),
    enter: () =>
      inTurn(async () => {
        const { sockets, figures: fitted } = await start();
        if (connections >= fitted.clients) return undefined;
        connections += 1;
        return sockets.at(SOCKET);
      }),
    leave() {
      connections -= 1;
      idleSince = performance.now();
    },
    during: async (work) => working(work, await inTurn(take)),
    alone: (work) => inTurn(async () => working(work, await take())),
    async observe(work) {
      const mine = awake;
      if (!mine) return undefined;
      let client: pg.PoolClient | undefined;
      try {
        client = await mine.pool.connect();
        return await work(client);
      } catch (error) {
        // It was put to sleep meanwhile.
        if (awake !== mine) return undefined;
        throw error;
      } finally {
        // None stays behind that the end of the server would cut.
        client?.release(true);
      }
    },
    atRest: (work) =>
      inTurn(async () => {
        assertStays();
        // What was begun for its administrator ends by itself, and nothing else begins in this turn.
        while (tasks > 0) await wait(POLL_MS);
        await stop();
        return work(async () => (await start()).pool);
      }),
    clear: () => inTurn(() => clearCluster(root, name)),
    wake: () => inTurn(async () => void (await start())),
    async refit() {
      while (!(await inTurn(refitted))) {
        // A backup may take long: its end is not waited for in a turn, and clients come in meanwhile.
        while (tasks > 0) await wait(LONG_POLL_MS);
      }
    },
    sleep: () => inTurn(async () => (connections === 0 && tasks === 0 ? stop() : undefined)),
    end(last = async () => {}) {
      ended = true;
      ending.abort();
      return inTurn(async () => {
        await starting?.done.catch(() => {});
        await stop();
        await last();
      });
    },
  };
}
