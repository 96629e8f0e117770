import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld({ settings: { rateLimits: true } });
});

afterAll(() => world.close());

test('a person’s 31st update in a minute is 429 with the seconds to wait, on any replica, at both doors', async () => {
  const ada = await world.as('Ada');
  const replica = await createWorld({ settings: { rateLimits: true }, databaseUrl: world.databaseUrl });
  const body = { firstName: 'Ada', lastName: 'L' };
  for (let call = 0; call < 30; call += 1) {
    const url = call % 2 ? world.url : replica.url;
    const response = await fetch(`${url}/api/auth/user`, {
      method: 'PATCH',
      headers: { cookie: ada.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  }
  const refused = await ada.rest('PATCH /api/auth/user', { body });
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  await expect(ada.rpc.auth.updateProfile.mutate(body)).rejects.toMatchObject({ data: { httpStatus: 429 } });

  const bob = await world.as('Bob');
  expect((await bob.rest('PATCH /api/auth/user', { body })).status).toBe(200);
  await replica.close();
});

test('a window ends by the database’s clock, and a clock set back does not lengthen it', async () => {
  const carol = await world.as('Carol');
  const key = `auth.updateProfile:${carol.user.id}`;
  const { db } = world.deps;
  const put = (windowEnds: string) =>
    db.updateTable('rateLimits').set({ count: 1000, windowEnds }).where('key', '=', key).execute();
  const update = () => carol.rest('PATCH /api/auth/user', { body: { firstName: 'Carol', lastName: '' } });
  expect((await update()).status).toBe(200);
  await put(new Date(Date.now() + 30_000).toISOString());
  expect((await update()).status).toBe(429);
  await put(new Date(Date.now() - 1000).toISOString());
  expect((await update()).status).toBe(200);
  await put(new Date(Date.now() + 3_600_000).toISOString());
  expect((await update()).status).toBe(200);
});

test('an address without a session has 60 calls a minute', async () => {
  const statuses: number[] = [];
  for (let call = 0; call < 62; call += 1)
    statuses.push((await world.anyone.rest('GET /api/projects')).status);
  expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
});

test.each([
  ['/readyz', 600, 503],
  ['/assets/none.js', 1200, 404],
])('an address may ask for %s %i times a minute, and others are not held up', async (url, visits, status) => {
  const knock = (remoteAddress: string) => world.app.inject({ url, remoteAddress });
  const answers = await Promise.all(Array.from({ length: visits }, () => knock('192.0.2.1')));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([status]));
  const refused = await knock('192.0.2.1');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(refused.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await knock('192.0.2.2')).statusCode).toBe(status);
});
