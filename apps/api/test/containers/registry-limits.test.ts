import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { makeToken } from './registry-client.ts';
import { basic } from './registry-world.ts';

let world: World;
let eve: Person;
let token: string;

beforeAll(async () => {
  world = await createWorld({ settings: { rateLimits: true, trustProxy: '127.0.0.1' } });
  eve = await world.as('Eve');
  token = (await makeToken(eve)).token;
});
afterAll(() => world.close());

const ask = (path: string, headers: Record<string, string>) => fetch(new URL(path, world.url), { headers });

test('stops who guesses, and not who knows', async () => {
  const right = basic(eve.user.email, token);
  const knock = (authorization: string) => ask('/v2/token', { authorization });
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await knock(right)).status).toBe(200);
  const wrong = basic(eve.user.email, `nph_${'A'.repeat(43)}`);
  const statuses = [];
  for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await knock(wrong)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const locked = await knock(right);
  expect([locked.status, Number(locked.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await locked.json()).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
});

test('calls are limited per person', async () => {
  const ping = () => ask('/v2/', { authorization: `Bearer ${token}` });
  for (let round = 0; round < 30; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, ping));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  }
  const refused = await ping();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
});

test('who is signed out is counted with the network', async () => {
  for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '192.0.2.1']) {
    expect((await ask('/v2/', { 'x-forwarded-for': ip })).status).toBe(401);
  }
  const counted = () =>
    world.deps.db
      .selectFrom('rateLimits')
      .select(['key', 'count'])
      .where('key', 'like', 'registry-signed-out:%')
      .orderBy('key')
      .execute();
  await expect.poll(counted).toEqual([
    { key: 'registry-signed-out:192.0.2.1', count: 1 },
    { key: 'registry-signed-out:2001:db8:0:1::/64', count: 1 },
    { key: 'registry-signed-out:2001:db8::/64', count: 2 },
  ]);
});

test('an account is not guessed at from ever new addresses, and who has its token gets in', async () => {
  const knock = (host: number, secret: string) =>
    ask('/v2/token', {
      authorization: basic(eve.user.email, secret),
      'x-forwarded-for': `198.51.100.${host}`,
    });
  const wrong = `nph_${'A'.repeat(43)}`;
  expect((await knock(1, wrong)).status).toBe(401);
  await world.deps.db
    .updateTable('rateLimits')
    .set({ count: 19 })
    .where('key', '=', `registry-login:*:${eve.user.email}`)
    .execute();
  expect([(await knock(2, wrong)).status, (await knock(3, wrong)).status]).toEqual([401, 429]);
  expect((await knock(4, token)).status).toBe(200);
});

test('tokens for anyone are given 600 times a minute to one address', async () => {
  const knock = () => ask('/v2/token', { 'x-forwarded-for': '203.0.113.1' });
  const windowEnds = new Date(Date.now() + 30_000).toISOString();
  const key = 'registry-token-signed-out:203.0.113.1';
  await world.deps.db.insertInto('rateLimits').values({ key, count: 599, windowEnds }).execute();
  expect((await knock()).status).toBe(200);
  await expect.poll(async () => (await knock()).status).toBe(429);
});
