import type { BackgroundJobs } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queue } from '../../src/platform/jobs.ts';
import { withoutSecrets } from '../../src/platform/jobs-list.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let bob: Person;
let queue: Queue<{ n: number }>;
let isBroken = true;
const ran: number[] = [];

beforeAll(async () => {
  world = await createWorld();
  queue = world.deps.jobs.queue<{ n: number }>(
    'test.work',
    { concurrency: 1, expireInSeconds: 60, retryLimit: 0 },
    async ({ n }) => {
      if (isBroken)
        throw new Error('No answer from https://ada:secret@example.com/ with k3y4b5c6d7e8f9a0b1c2d3e4f5');
      ran.push(n);
    },
  );
  await world.deps.begin();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
afterAll(() => world.close());

async function jobs(): Promise<BackgroundJobs> {
  const all = (await ada.rest('GET /api/admin/jobs')).body as BackgroundJobs;
  return {
    queues: all.queues.filter(({ name }) => name === 'test.work'),
    jobs: all.jobs.filter((job) => job.queue === 'test.work'),
  };
}

test('what failed for good is listed with its reason, without secrets, and runs again by a click', async () => {
  await queue.enqueue(world.deps.db, { n: 1 });
  const failed = async () => (await jobs()).queues;
  await expect.poll(failed).toEqual([{ name: 'test.work', waiting: 0, running: 0, failed: 1 }]);
  const [job] = (await jobs()).jobs;
  expect(job).toMatchObject({
    state: 'failed',
    runs: 1,
    error: 'No answer from https://…@example.com/ with …',
  });
  isBroken = false;
  await ada.rpc.admin.retryJob.mutate({ id: job?.id ?? '' });
  await expect.poll(() => ran).toEqual([1]);
  await expect.poll(jobs).toEqual({ queues: [], jobs: [] });
  expect(await ada.rest(`POST /api/admin/jobs/${job?.id}/retry`)).toMatchObject({ status: 404 });
});

test('what waits is cancelled, which is recorded, and by administrators alone', async () => {
  await queue.enqueue(world.deps.db, { n: 2 }, { after: 3600 });
  const [job] = (await jobs()).jobs;
  expect(job).toMatchObject({ state: 'waiting', runs: 0, startedAt: null, error: '' });
  const cancel = `POST /api/admin/jobs/${job?.id}/cancel`;
  for (const route of ['GET /api/admin/jobs', cancel, cancel.replace('cancel', 'retry')]) {
    expect((await bob.rest(route)).status).toBe(403);
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  expect(await ada.rest(cancel)).toMatchObject({ status: 200 });
  expect(await ada.rest(cancel)).toMatchObject({
    status: 404,
    body: { message: 'This job has ended meanwhile.' },
  });
  expect((await jobs()).jobs).toEqual([]);
  const [record] = await ada.rpc.audit.installation.query({ limit: 1 });
  expect(record).toMatchObject({ procedure: 'admin.cancelJob', subject: { name: 'test.work' } });
  expect(ran).toEqual([1]);
});

test('a failed run of a schedule is not run beside the next one, which is said', async () => {
  const { db } = world.deps;
  const { rows } = await sql<{ id: string }>`
    insert into pgboss.job (name, state, policy, output, completed_on)
    values ('test.work', 'completed', 'exclusive', '{"gaveUp": "No."}', now()), ('test.work', 'created', 'exclusive', null, null)
    returning id`.execute(db);
  expect(await ada.rest(`POST /api/admin/jobs/${rows[0]?.id}/retry`)).toMatchObject({
    status: 409,
    body: { message: 'The next run of this job already waits.' },
  });
  for (const { id } of rows) await ada.rpc.admin.cancelJob.mutate({ id });
});

test('an error tells no secret', () => {
  expect(withoutSecrets('a\nb')).toBe('a b');
  expect(withoutSecrets('x'.repeat(1000)).length).toBe(300);
});
