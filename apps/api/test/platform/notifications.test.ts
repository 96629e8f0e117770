import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, createPool } from '@nephos/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJobs } from '../../src/platform/jobs.ts';
import { createNotifications, notify } from '../../src/platform/notifications.ts';

const log = pino({ level: 'silent' });
let home: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nephos-notifications-'));
  await chmod(home, 0o711);
  server = await startServer();
});

afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

function startServer(port = 0) {
  return startEmbeddedPostgres({ dataDir: join(home, 'data'), port });
}

function openDb() {
  return createDb(createPool({ url: server.url, max: 2 }));
}

/** Collects what is heard, and resolves once something is. */
function listenerOf() {
  const heard: string[] = [];
  let wake = () => {};
  return {
    heard,
    hear: (payload: string) => {
      heard.push(payload);
      wake();
    },
    async until(count: number) {
      while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

test('each listener of a channel hears what a transaction sent when it commits, and nothing after it left', async () => {
  const notifications = createNotifications(server.url, log);
  const db = openDb();
  const [one, two, resync] = [listenerOf(), listenerOf(), listenerOf()];
  const leave = notifications.subscribe('news', one.hear, () => resync.hear('resync'));
  notifications.subscribe('news', two.hear);
  await resync.until(1);

  await db
    .transaction()
    .execute(async (trx) => {
      await notify(trx, 'news', 'never');
      throw new Error('rolled back');
    })
    .catch(() => {});
  await db.transaction().execute((trx) => notify(trx, 'news', 'first'));
  await Promise.all([one.until(1), two.until(1)]);
  leave();
  await notify(db, 'news', 'second');
  await two.until(2);
  expect(one.heard).toEqual(['first']);
  expect(two.heard).toEqual(['first', 'second']);
  await db.destroy();
  await notifications.close();
});

test('a listener that throws does not keep the others from hearing', async () => {
  const notifications = createNotifications(server.url, log);
  const db = openDb();
  const [other, resync] = [listenerOf(), listenerOf()];
  notifications.subscribe('throwing', () => {
    throw new Error('no');
  });
  notifications.subscribe('throwing', other.hear, () => resync.hear('resync'));
  await resync.until(1);
  await notify(db, 'throwing', 'still');
  await other.until(1);
  await db.destroy();
  await notifications.close();
});

test.each(['', 'News', 'a b', 'a"b', 'a;drop table users', 'x'.repeat(64)])(
  'a channel may not be called %j',
  async (name) => {
    const notifications = createNotifications(server.url, log);
    expect(() => notifications.subscribe(name, () => {})).toThrow('is not a channel name');
    await notifications.close();
  },
);

test('after the server was gone and came back, listeners are told to read again, and jobs run again', async () => {
  const notifications = createNotifications(server.url, log);
  const jobs = createJobs({ url: server.url, notifications, log });
  const [listener, resync, worked] = [listenerOf(), listenerOf(), listenerOf()];
  const queue = jobs.queue<{ n: number }>(
    'after_restart',
    { concurrency: 1, expireInSeconds: 60, retryLimit: 0 },
    async ({ n }) => worked.hear(String(n)),
  );
  await jobs.start();
  notifications.subscribe('lasting', listener.hear, () => resync.hear('resync'));
  await resync.until(1);

  const { port } = server;
  process.kill(server.pid, 'SIGKILL');
  await server.stop();
  server = await startServer(port);
  await resync.until(2);

  const db = openDb();
  await notify(db, 'lasting', 'back');
  await queue.enqueue(db, { n: 1 });
  await Promise.all([listener.until(1), worked.until(1)]);
  expect(listener.heard).toEqual(['back']);
  await db.destroy();
  await jobs.stop(1000);
  await notifications.close();
});
