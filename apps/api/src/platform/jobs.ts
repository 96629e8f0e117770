import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { unavailableSince } from '../errors.ts';
import { createBossPool, databaseOf } from './jobs-database.ts';
import type { Notifications } from './notifications.ts';

export interface JobOptions {
  /** Handlers of this queue that may run at once in this process. */
  concurrency: number;
  /** Seconds a run may take before it counts as dead. */
  expireInSeconds: number;
  /** Runs after the first when a handler throws or its process dies; after the last one the job is given up. */
  retryLimit: number;
  /** Seconds: the pause before each further run doubles from one second up to this. Absent: always one second. */
  longestPause?: number;
  /** Jobs of one group (`enqueue`'s `group`) never run at the same time, on any replica, and run in order. */
  oneAtATimePerGroup?: boolean;
}

/**
 * A queue of background work. Handlers must be idempotent: a job can run again after its process died. Their `signal`
 * aborts when the job is no longer this process's own (it was taken for dead), or the process ends.
 */
export interface Queue<Payload> {
  /**
   * Enqueues in the transaction `db`; rolled back, it never was. The job waits for `after` seconds at least. Refuses
   * with 503 before `start` and after `stop`.
   */
  enqueue(
    db: Kysely<Database>,
    payload: Payload,
    options?: { group?: string; after?: number },
  ): Promise<void>;
  /** The payloads of all jobs that wait or run, on any replica. */
  unfinished(): Promise<Payload[]>;
}

export interface Jobs {
  /** Defines a queue and its handler; call before `start`. */
  queue<Payload extends object>(
    name: string,
    options: JobOptions,
    handler: (payload: Payload, signal: AbortSignal) => Promise<void>,
  ): Queue<Payload>;
  /** Runs `handler` on a cron schedule (UTC), once over all replicas. */
  schedule(name: string, cron: string, handler: () => Promise<void>): void;
  start(): Promise<void>;
  /** Takes no new jobs and waits up to `timeout` milliseconds for running ones, then aborts them. */
  stop(timeout: number): Promise<void>;
}

export interface JobsDeps {
  /** Of the database that also holds our own data, so that both change in one transaction. */
  url: string;
  notifications: Notifications;
  log: Logger;
  /** No other process can be working on these jobs: the database is our own, and so is the lock of its folder. */
  sole?: boolean;
}

interface Definition {
  name: string;
  options: JobOptions;
  cron?: string;
  run: (payload: object, signal: AbortSignal) => Promise<void>;
}

const SCHEMA = 'pgboss';
/**
 * A killed worker's job is taken again within 15 + 5 + 5 seconds: its heartbeat lapses, a replica notices, a worker
 * polls. Reliability §1.6 allows 45.
 */
const HEARTBEAT_SECONDS = 15;
const SUPERVISE_SECONDS = 5;
const POLL_SECONDS = 5;
/** A job that is out of runs is completed by us, with its error logged: a failed one would bar its group for good. */
const NEVER_FAILS = 1_000_000;
const KEPT_SECONDS = 24 * 60 * 60;
const ABORT_GRACE = 2000;
/** Milliseconds that the transaction of a waiting job has to commit before a worker looks for it. */
const WAKE_MARGIN = 50;

/** Jobs in PostgreSQL, over pg-boss in the schema `pgboss`. */
export function createJobs({ url, notifications, log, sole = false }: JobsDeps): Jobs {
  const pool = createBossPool(url, log);
  const boss = new PgBoss({
    db: databaseOf(pool, notifications),
    schema: SCHEMA,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: 60 * 60,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));

  const definitions: Definition[] = [];
  let started = false;
  const running = new Set<Promise<void>>();
  const workersOf = new Map<string, string[]>();

  /** Nobody is told when a job that had to wait is due: a worker looks then, instead of at its next poll. */
  function wakeLater(queue: string, seconds: number): void {
    const wake = () => {
      for (const id of workersOf.get(queue) ?? []) if (started) boss.notifyWorker(id);
    };
    setTimeout(wake, seconds * 1000 + WAKE_MARGIN).unref();
  }

  async function run({ name, options, run }: Definition, job: RunnableJob): Promise<void> {
    const runs = job.retryCount + 1;
    if (runs > options.retryLimit + 1) {
      log.error({ queue: name, job: job.id }, 'gave up a job whose process died too often');
      return;
    }
    const work = run(job.data, job.signal);
    const settled = work.catch(() => {});
    running.add(settled);
    try {
      await work;
    } catch (error) {
      const level = job.signal.aborted ? 'info' : 'error';
      log[level]({ err: error, queue: name, job: job.id, runs }, 'a job did not finish');
      if (runs <= options.retryLimit) throw error;
    } finally {
      running.delete(settled);
    }
  }

  async function serve(definition: Definition): Promise<void> {
    const { name, options, cron } = definition;
    await defineQueue(boss, definition);
    if (cron) await boss.schedule(name, cron);
    const workers: string[] = [];
    workersOf.set(name, workers);
    for (let i = 0; i < options.concurrency; i++) {
      const worker = await boss.work<object>(
        name,
        { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: POLL_SECONDS },
        async (batch) => {
          try {
            for (const job of batch) await run(definition, job);
          } finally {
            // Whoever is free looks at once for what waited for this one, instead of at the next poll.
            for (const id of workers) boss.notifyWorker(id);
          }
        },
      );
      workers.push(worker);
    }
  }

  return {
    queue<Payload extends object>(
      name: string,
      options: JobOptions,
      handler: (payload: Payload, signal: AbortSignal) => Promise<void>,
    ): Queue<Payload> {
      // What comes out of a queue is what its typed `enqueue` put in.
      definitions.push({ name, options, run: handler as Definition['run'] });
      return {
        async enqueue(db, payload, { group, after = 0 } = {}) {
          if (!started) throw unavailableSince('the job queue is not running');
          const options = { ...(after > 0 && { startAfter: after }), ...(group && { singletonKey: group }) };
          await boss.send(name, payload, { db: fromKysely(db), ...options });
          if (after > 0) wakeLater(name, after);
        },
        async unfinished() {
          const { rows } = await pool.query<{ data: Payload }>(
            `select data from ${SCHEMA}.job where name = $1 and state in ('created', 'retry', 'active')`,
            [name],
          );
          return rows.map((row) => row.data);
        },
      };
    },
    schedule(name, cron, handler) {
      const options = { concurrency: 1, expireInSeconds: 15 * 60, retryLimit: 0 };
      definitions.push({ name, options, cron, run: handler });
    },
    async start() {
      await boss.start();
      if (sole) await takeBack(boss, pool);
      for (const definition of definitions) await serve(definition);
      started = true;
    },
    async stop(timeout) {
      started = false;
      await boss.stop({ graceful: true, timeout });
      // By now those still running have been told to abort; their clean-up may need the database a moment longer.
      await Promise.race([Promise.all(running), sleepUnref(ABORT_GRACE)]);
      if (!pool.ending) await pool.end();
    },
  };
}

/** What a killed process was working on runs again at once; its heartbeat need not lapse first. */
async function takeBack(boss: PgBoss, pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; id: string }>(
    `select name, id from ${SCHEMA}.job where state = 'active'`,
  );
  for (const { name, id } of rows) await boss.fail(name, id, { message: 'The process stopped.' });
}

interface RunnableJob {
  id: string;
  data: object;
  retryCount: number;
  signal: AbortSignal;
}

async function defineQueue(boss: PgBoss, { name, options, cron }: Definition): Promise<void> {
  const settings = {
    notify: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: options.expireInSeconds,
    retryLimit: NEVER_FAILS,
    retryDelay: 1,
    retryBackoff: options.longestPause !== undefined,
    ...(options.longestPause !== undefined && { retryDelayMax: options.longestPause }),
    deleteAfterSeconds: KEPT_SECONDS,
  };
  // Both policies are unique indexes, so they hold over all replicas: `key_strict_fifo` lets one job of a key be
  // claimed, `exclusive` keeps a schedule from piling up runs.
  const policy = options.oneAtATimePerGroup ? 'key_strict_fifo' : cron ? 'exclusive' : 'standard';
  await boss.createQueue(name, { ...settings, policy });
  await boss.updateQueue(name, settings);
}

function sleepUnref(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
