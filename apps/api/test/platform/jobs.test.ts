import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb, createPool, type Database } from '@nephos/db';
import { createTestDatabase, type TestDatabase } from '@nephos/db/testing';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createJobs, type Jobs } from '../../src/platform/jobs.ts';
import { createNotifications, type Notifications } from '../../src/platform/notifications.ts';

let database: TestDatabase;
let db: Kysely<Database>;
const log = pino({ level: 'silent' });
const opened: { jobs: Jobs; notifications: Notifications }[] = [];

function replica(): Jobs {
  const notifications = createNotifications(database.url, log);
  const jobs = createJobs({ url: database.url, notifications, log });
  opened.push({ jobs, notifications });
  return jobs;
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.url }));
});

afterEach(async () => {
  for (const { jobs, notifications } of opened.splice(0)) {
    await jobs.stop(1000);
    await notifications.close();
  }
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const ONCE = { concurrency: 2, expireInSeconds: 60, retryLimit: 0 };

describe('a queue', () => {
  it('runs what a committed transaction enqueued, at once, and nothing that was rolled back', async () => {
    const jobs = replica();
    const ran: number[] = [];
    const taken = Promise.withResolvers<void>();
    const queue = jobs.queue<{ n: number }>('committed', ONCE, async ({ n }) => {
      ran.push(n);
      taken.resolve();
    });
    await jobs.start();
    await expect(
      db.transaction().execute(async (trx) => {
        await queue.enqueue(trx, { n: 1 });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await queue.unfinished()).toEqual([]);

    const before = performance.now();
    await db.transaction().execute((trx) => queue.enqueue(trx, { n: 2 }));
    await taken.promise;
    expect(performance.now() - before).toBeLessThan(1000);
    expect(ran).toEqual([2]);
  });

  it('runs a job again after it threw, and gives it up after its last run without barring its group', async () => {
    const jobs = replica();
    const runs: string[] = [];
    const done = Promise.withResolvers<void>();
    const options = { concurrency: 1, expireInSeconds: 60, retryLimit: 1, oneAtATimePerGroup: true };
    const queue = jobs.queue<{ n: string }>('failing', options, async ({ n }) => {
      runs.push(n);
      if (n === 'bad') throw new Error('no');
      done.resolve();
    });
    await jobs.start();
    await queue.enqueue(db, { n: 'bad' }, { group: 'g' });
    await queue.enqueue(db, { n: 'good' }, { group: 'g' });
    await done.promise;
    expect(runs).toEqual(['bad', 'bad', 'good']);
  });

  it('never runs two jobs of one group at once over two replicas, and keeps other groups going', async () => {
    const active = new Map<string, number>();
    let together = 0;
    let ran = 0;
    let widest = 0;
    const all = Promise.withResolvers<void>();
    const handler = async ({ group }: { group: string }) => {
      active.set(group, (active.get(group) ?? 0) + 1);
      if ((active.get(group) ?? 0) > 1) together += 1;
      widest = Math.max(widest, [...active.values()].filter((count) => count > 0).length);
      await sleep(30);
      active.set(group, (active.get(group) ?? 0) - 1);
      if (++ran === 24) all.resolve();
    };
    const options = { concurrency: 3, expireInSeconds: 60, retryLimit: 0, oneAtATimePerGroup: true };
    const [first, second] = [replica(), replica()];
    const queue = first.queue('grouped', options, handler);
    second.queue('grouped', options, handler);
    await Promise.all([first.start(), second.start()]);
    await db.transaction().execute(async (trx) => {
      for (let i = 0; i < 24; i++) {
        const group = `g${i % 3}`;
        await queue.enqueue(trx, { group }, { group });
      }
    });
    await all.promise;
    expect(together).toBe(0);
    expect(widest).toBe(3);
  });

  it('tells a running job to abort when it stops, and leaves the job to be run again', async () => {
    const jobs = replica();
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const queue = jobs.queue('stopping', { ...ONCE, retryLimit: 1 }, async (_payload, signal) => {
      started.resolve();
      await once(signal, 'abort');
      aborted.resolve();
    });
    await jobs.start();
    await queue.enqueue(db, { n: 1 });
    await started.promise;
    const unfinished = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from pgboss.job where name = 'stopping'`.execute(db);
      return rows.map((row) => row.state);
    };
    expect(await unfinished()).toEqual(['active']);
    await jobs.stop(1000);
    await aborted.promise;
    expect(await unfinished()).toEqual(['retry']);
    opened.splice(0);
  });
});

describe('workers killed with SIGKILL', () => {
  it('lose no job: 100 effects once each, and a killed one is taken again within 45 s', {
    timeout: 90_000,
  }, async () => {
    await sql`create table effects (n integer primary key, runs integer not null default 1)`.execute(db);
    const jobs = replica();
    const queue = jobs.queue<{ n: number }>(
      'effects',
      { ...ONCE, concurrency: 0, retryLimit: 50 },
      async () => {},
    );
    await jobs.start();
    await db.transaction().execute(async (trx) => {
      for (let n = 0; n < 100; n++) await queue.enqueue(trx, { n });
    });
    for (const kill of [1, 2, 3, 4]) {
      await killAfter(12);
      // The heartbeat's shortest period is 10 s; all but the last kill have it lapse at once.
      if (kill < 4)
        await sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`.execute(
          db,
        );
    }
    const killed = performance.now();
    const last = startWorker();
    await expect.poll(async () => (await queue.unfinished()).length).toBe(0);
    expect(performance.now() - killed).toBeLessThan(45_000);
    await end(last);
    const { rows } = await sql<{ count: number }>`select count(*) as count from effects`.execute(db);
    expect(rows).toEqual([{ count: 100 }]);
  });
});

function startWorker(): ChildProcess {
  const script = new URL('fixtures/job-worker.ts', import.meta.url).pathname;
  return spawn(process.execPath, [script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Lets a worker begin some jobs, and kills it in the middle of them. */
async function killAfter(jobsBegun: number): Promise<void> {
  const worker = startWorker();
  let begun = 0;
  if (!worker.stdout) throw new Error('The worker has no output.');
  for await (const _line of createInterface({ input: worker.stdout })) if (++begun === jobsBegun) break;
  await end(worker);
}

async function end(worker: ChildProcess): Promise<void> {
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}
