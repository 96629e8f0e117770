import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSessions } from '../../src/domains/auth/sessions.ts';
import { cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';

const DAY = 24 * 60 * 60 * 1000;

let world: World;
let people = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterEach(() => vi.useRealTimers());
afterAll(() => world.close());

const someone = () => world.as(`Person-${++people}`);
const whoIs = (cookie: string) => world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
const logIn = ({ user }: Person, password = PASSWORD) =>
  world.anyone.rest('POST /api/login', { body: { email: user.email, password } });
const rowsOf = ({ user }: Person) =>
  world.deps.db.selectFrom('sessions').selectAll().where('userId', '=', user.id).execute();

/** Moves a person's sessions into the past. */
async function age({ user }: Person, change: { created?: string; expires?: string }): Promise<void> {
  const { created = '0', expires = '0' } = change;
  await sql`
    update sessions set created_at = created_at - ${created}::interval, expires_at = expires_at - ${expires}::interval
    where user_id = ${user.id}`.execute(world.deps.db);
}

test('a copy of the table opens no session', async () => {
  const ada = await someone();
  const [row] = await rowsOf(ada);
  const [, value = ''] = ada.cookie.split('=');
  expect(row?.id).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain(value);
  for (const stolen of [row?.id, row?.publicId]) expect((await whoIs(`session=${stolen}`)).status).toBe(401);
});

test('passwords are kept as argon2id with 19 MiB, two passes and one lane', async () => {
  const { user } = await someone();
  const { passwordHash } = await world.deps.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

describe("the process's clock decides nothing", () => {
  test.each([14, -14])('%i days off, a session goes on and its row stays', async (days) => {
    const ada = await someone();
    const [before] = await rowsOf(ada);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY });
    expect((await whoIs(ada.cookie)).status).toBe(200);
    expect(await rowsOf(ada)).toEqual([before]);
  });

  test.each([14, -14])('%i days off, a new or prolonged session ends when it should', async (days) => {
    const ada = await someone();
    await age(ada, { expires: '6 days' });
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + days * DAY });
    expect((await whoIs(ada.cookie)).headers.getSetCookie()).toHaveLength(1);
    expect((await logIn(ada)).status).toBe(200);
    const ends = (await rowsOf(ada)).map(({ expiresAt }) =>
      Math.round((Date.parse(expiresAt) - now) / 60_000),
    );
    expect(ends).toEqual([10 * 24 * 60, 10 * 24 * 60]);
  });
});

describe('expiry', () => {
  test('ten days without use end a session; shortly before, it lives', async () => {
    const ada = await someone();
    await age(ada, { expires: '9 days 23:59' });
    const answer = await whoIs(ada.cookie);
    expect(answer.status).toBe(200);
    expect(ada.cookie.split('; ')).toContain(cookieOf(answer.headers));
    await age(ada, { expires: '10 days' });
    expect((await whoIs(ada.cookie)).status).toBe(401);
  });

  test('use prolongs it only once half of that has passed', async () => {
    const ada = await someone();
    await age(ada, { expires: '4 days 23:00' });
    expect((await whoIs(ada.cookie)).headers.getSetCookie()).toEqual([]);
    await age(ada, { expires: '02:00' });
    expect((await whoIs(ada.cookie)).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[a-z2-7]{40}; .*Max-Age=864000/),
    ]);
    expect((await whoIs(ada.cookie)).headers.getSetCookie()).toEqual([]);
  });

  test('thirty days end it, however much it is used', async () => {
    const ada = await someone();
    await age(ada, { created: '29 days 23:59' });
    expect((await whoIs(ada.cookie)).status).toBe(200);
    await age(ada, { created: '00:02' });
    expect((await whoIs(ada.cookie)).status).toBe(401);
  });

  test('the list tells when each ends, and the sweep removes those that have', async () => {
    const ada = await someone();
    await age(ada, { created: '29 days' });
    const [listed] = await ada.rpc.auth.sessions.query();
    expect(Math.round((Date.parse(listed?.expiresAt ?? '') - Date.now()) / 60_000)).toBe(24 * 60);
    await age(ada, { created: '1 day' });
    const bob = await someone();
    await age(bob, { expires: '11 days' });
    const cay = await someone();
    await world.deps.domains.auth.sessions.sweep();
    const left = await Promise.all([ada, bob, cay].map(rowsOf));
    expect(left.map((rows) => rows.length)).toEqual([0, 0, 1]);
  });
});

test('a request costs one query, for session and person together', async () => {
  const { cookie, user } = await someone();
  let queries = 0;
  const db = world.deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  });
  const sessions = createSessions({ db, secure: false });
  expect(await sessions.read(cookie)).toMatchObject({ user });
  expect(queries).toBe(1);
  expect(await sessions.read('other=1')).toBeNull();
  expect(queries).toBe(1);
});

test('the trial ends by the database, from one request to the next', async () => {
  const { user, rest } = await someone();
  const end = (shift: string) =>
    sql`update users set trial_end_date = now() + ${shift}::interval where id = ${user.id}`.execute(
      world.deps.db,
    );
  await end('1 hour');
  expect((await rest('GET /api/auth/user')).body).toMatchObject({ trialActive: true });
  await end('-1 second');
  expect((await rest('GET /api/auth/user')).body).toMatchObject({ trialActive: false });
});

test('a role is read anew for each request', async () => {
  const { user, rest } = await someone();
  await world.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute();
  expect((await rest('GET /api/auth/user')).body).toMatchObject({ role: 'admin' });
});

test('over https the cookie is bound to the host', async () => {
  const { user } = await someone();
  const sessions = createSessions({ db: world.deps.db, secure: true });
  const cookie = await sessions.create(user.id, { ip: '::1', userAgent: 'x'.repeat(5000), cookies: '' });
  expect(cookie).toMatch(/^__Host-session=[a-z2-7]{40}; /);
  expect(cookie.split('; ').slice(1).toSorted()).toEqual([
    'HttpOnly',
    'Max-Age=864000',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ]);
  const [pair = ''] = cookie.split(';');
  expect(await sessions.read(pair)).toMatchObject({ user: { id: user.id } });
  const kept = await world.deps.db.selectFrom('sessions').select('userAgent').execute();
  expect(Math.max(...kept.map(({ userAgent }) => userAgent.length))).toBe(400);
  expect(await sessions.read(pair.replace('__Host-', ''))).toBeNull();
});
