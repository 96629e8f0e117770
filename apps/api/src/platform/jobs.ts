import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { unavailableSince } from '../core/errors.ts';
import { createBossPool, databaseOf } from './jobs-database.ts';
import {
  createRunner,
  type Definition,
  type JobOptions,
  SUPERVISE_SECONDS,
  startWorkers,
} from './jobs-workers.ts';
import type { Notifications } from './notifications.ts';

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
  /** Address of the database that also holds our own data, so that both change in one transaction. */
  url: string;
  notifications: Notifications;
  log: Logger;
  /** No other process can be working on these jobs: the database is our own, and so is the lock of its folder. */
  sole?: boolean;
}

const SCHEMA = 'pgboss';
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

  const runner = createRunner(log);
  const queues: (() => Promise<void>)[] = [];
  const workersOf = new Map<string, readonly string[]>();
  let started = false;

  function define<Payload extends object>(definition: Definition<Payload>): void {
    queues.push(async () => {
      workersOf.set(definition.name, await startWorkers(boss, runner, definition));
    });
  }

  /** Nobody is told when a job that had to wait is due: a worker looks then, instead of at its next poll. */
  function wakeLater(queue: string, seconds: number): void {
    const wake = () => {
      for (const id of workersOf.get(queue) ?? []) if (started) boss.notifyWorker(id);
    };
    setTimeout(wake, seconds * 1000 + WAKE_MARGIN).unref();
  }

  return {
    queue<Payload extends object>(
      name: string,
      options: JobOptions,
      handler: (payload: Payload, signal: AbortSignal) => Promise<void>,
    ): Queue<Payload> {
      define({ name, options, handler });
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
      define({ name, options, cron, handler });
    },
    async start() {
      await boss.start();
      if (sole) await takeBack(boss, pool);
      for (const serve of queues) await serve();
      started = true;
    },
    async stop(timeout) {
      started = false;
      await boss.stop({ graceful: true, timeout });
      // By now those still running have been told to abort; their clean-up may need the database a moment longer.
      await Promise.race([runner.settled(), sleepUnref(ABORT_GRACE)]);
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

function sleepUnref(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
