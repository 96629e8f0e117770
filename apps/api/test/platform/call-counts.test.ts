import { createDb, createPool, type Database } from '@nephos/db';
import { createTestDatabase, type TestDatabase } from '@nephos/db/testing';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallCounts, createCallCounts } from '../../src/platform/call-counts.ts';

let database: TestDatabase;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.url, max: 2 }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const replica = (period = 10) =>
  createCallCounts({ db, settings: { rateLimits: true }, log: pino({ enabled: false }), period });

const limitOf = (key: string, calls = 60) => ({ key, calls, seconds: 60 });

/** Makes calls at once, and resolves to how many of them were let in. */
async function admit(counts: CallCounts, calls: number, limit: ReturnType<typeof limitOf>): Promise<number> {
  const made = await Promise.allSettled(Array.from({ length: calls }, () => counts.count(limit)));
  return made.filter(({ status }) => status === 'fulfilled').length;
}

const countedAs = async (key: string) =>
  (await db.selectFrom('rateLimits').select('count').where('key', '=', key).executeTakeFirst())?.count;

test('one replica lets in as many calls as the limit says, and says how long the others wait', async () => {
  const counts = replica();
  expect(await admit(counts, 100, limitOf('alone'))).toBe(60);
  await expect(counts.count(limitOf('alone'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  await expect.poll(() => countedAs('alone')).toBe(60);
});

test('what one replica let in counts for the others as soon as it has told them', async () => {
  const [first, second] = [replica(), replica()];
  const limit = limitOf('shared');
  expect(await admit(first, 40, limit)).toBe(40);
  expect(await admit(second, 10, limit)).toBe(10);
  await expect.poll(() => countedAs('shared')).toBe(50);
  expect(await admit(first, 1, limit)).toBe(1);
  await expect.poll(() => countedAs('shared')).toBe(51);
  expect(await admit(first, 60, limit)).toBe(9);
});

test('a replica that starts takes up the window that is there, with its end', async () => {
  const windowEnds = new Date(Date.now() + 20_000).toISOString();
  await db.insertInto('rateLimits').values({ key: 'open', count: 500, windowEnds }).execute();
  const counts = replica();
  const limit = limitOf('open', 400);
  expect(await admit(counts, 1, limit)).toBe(1);
  await expect.poll(() => countedAs('open')).toBe(501);
  await expect.poll(() => admit(counts, 1, limit)).toBe(0);
  const refusal: unknown = await counts.count(limit).catch((error) => error);
  expect(refusal).toHaveProperty('retryAfter');
  expect(refusal).toSatisfy(({ retryAfter }: { retryAfter: number }) => retryAfter > 15 && retryAfter <= 20);
});

test('few calls are counted in the database before they are let in, so replicas are exact together', async () => {
  const both = [replica(60_000), replica(60_000)];
  const admitted = await Promise.all(both.map((counts) => admit(counts, 20, limitOf('dear', 30))));
  expect(admitted.reduce((sum, one) => sum + one, 0)).toBe(30);
});
