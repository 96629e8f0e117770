import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { submitForm } from './auth-forms.ts';

let world: World;
let ada: Person;
beforeAll(async () => {
  world = await createWorld({ settings: { rateLimits: true, trustProxy: '127.0.0.1' } });
  ada = await world.as('Ada');
});
afterAll(() => world.close());

const logIn = (email: string, password: string) =>
  world.anyone.rest('POST /api/login', { body: { email, password } });
const forget = () => world.deps.db.deleteFrom('rateLimits').execute();

test('the sixth try for one account in 15 minutes is 429, right password or not', async () => {
  await forget();
  for (let round = 0; round < 5; round++) expect((await logIn('ada@example.com', 'wrong')).status).toBe(403);
  const answer = await logIn('ADA@example.com', PASSWORD);
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({ code: 'RATE_LIMITED' });
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(14 * 60);
  expect(wait).toBeLessThanOrEqual(15 * 60);

  const page = await submitForm(new URL('/api/login', world.url), {
    email: 'ada@example.com',
    password: PASSWORD,
  });
  expect(page.status).toBe(429);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  expect(page.html).toMatch(/role="alert"[^>]*>Too many requests/);
});

test('the right password makes the wrong ones before it forgotten', async () => {
  await forget();
  for (let round = 0; round < 4; round++) expect((await logIn('ada@example.com', 'wrong')).status).toBe(403);
  for (let round = 0; round < 6; round++) expect((await logIn('ada@example.com', PASSWORD)).status).toBe(200);
});

test('another account is not held up by it, until the address has tried 20 times', async () => {
  await forget();
  const names = Array.from({ length: 20 }, (_, index) => `person-${index}@example.com`);
  const answers = await Promise.all(names.map((email) => logIn(email, 'wrong')));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 403));
  expect((await logIn('ada@example.com', PASSWORD)).status).toBe(429);
});

test('the addresses of one IPv6 network are counted as one', async () => {
  await forget();
  const logInFrom = (ip: string) =>
    world.anyone.rest('POST /api/login', {
      body: { email: 'ada@example.com', password: 'wrong' },
      headers: { 'x-forwarded-for': ip },
    });
  for (let host = 1; host <= 5; host++) expect((await logInFrom(`2001:db8::${host}`)).status).toBe(403);
  expect((await logInFrom('2001:db8::6')).status).toBe(429);
  expect((await logInFrom('2001:db8:0:1::6')).status).toBe(403);
});

test('parallel tries are counted one by one', async () => {
  await forget();
  const answers = await Promise.all(Array.from({ length: 12 }, () => logIn('ada@example.com', 'wrong')));
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
});

test('the 21st sign-up from one address in an hour is 429, and what was mistyped does not count', async () => {
  await forget();
  const signUp = (email: string) =>
    world.anyone.rest('POST /api/signup', { body: { email, password: PASSWORD } });
  for (let round = 0; round < 25; round++) expect((await signUp('mistyped')).status).toBe(400);
  const names = Array.from({ length: 20 }, (_, index) => `new-${index}@example.com`);
  const answers = await Promise.all(names.map(signUp));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
  const late = await signUp('late@example.com');
  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(59 * 60);
});

/** The tries that are counted for an account, from wherever they came. */
const tries = (email: string) =>
  world.deps.db.selectFrom('rateLimits').select('count').where('key', '=', `login:*:${email}`);
/** As if strangers had made so many already. */
const pretendTries = (email: string, count: number) =>
  world.deps.db
    .insertInto('rateLimits')
    .values({ key: `login:*:${email}`, count, windowEnds: new Date(Date.now() + 15 * 60_000).toISOString() })
    .execute();
const logInFrom = (ip: string, email: string, password: string) =>
  world.anyone.rest('POST /api/login', { body: { email, password }, headers: { 'x-forwarded-for': ip } });

test.each(['ada@example.com', 'nobody@example.com'])(
  'whoever makes up addresses has twenty tries at %s in 15 minutes',
  async (email) => {
    await forget();
    await pretendTries(email, 18);
    const statuses = [];
    for (const host of [1, 2, 3]) statuses.push((await logInFrom(`192.0.2.${host}`, email, 'wrong')).status);
    expect(statuses).toEqual([403, 403, 429]);
    const last = await logInFrom('192.0.2.4', email, PASSWORD);
    expect(last).toMatchObject({
      status: 429,
      body: {
        code: 'RATE_LIMITED',
        message: expect.stringMatching(/^Too many requests\. Try again in \d+ s/),
      },
    });
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  },
);

test('strangers do not lock the owner out where they logged in before, nor end what they have open', async () => {
  await forget();
  await pretendTries('ada@example.com', 20);
  expect((await logIn('ada@example.com', PASSWORD)).status).toBe(429);
  expect((await ada.rest('GET /api/auth/user')).status).toBe(200);

  const device = /known_device=[^;]+/.exec(ada.cookie)?.[0] ?? '';
  const onDevice = (email: string, password: string, cookie = device) =>
    world.anyone.rest('POST /api/login', { body: { email, password }, headers: { cookie } });
  expect((await onDevice('ada@example.com', PASSWORD)).status).toBe(200);
  for (let round = 0; round < 5; round += 1)
    expect((await onDevice('ada@example.com', 'wrong')).status).toBe(403);
  expect((await onDevice('ada@example.com', PASSWORD)).status).toBe(429);

  await forget();
  for (const email of ['ada@example.com', 'nobody@example.com']) await pretendTries(email, 20);
  const forged = device.replace(/\.[0-9a-f]{4}/, '.0000');
  expect((await onDevice('ada@example.com', PASSWORD, forged)).status).toBe(429);
  // It says nothing for another account.
  expect((await onDevice('nobody@example.com', PASSWORD)).status).toBe(429);
});

test('the right password does not use up the tries of an account, nor give strangers theirs back', async () => {
  await forget();
  await pretendTries('ada@example.com', 7);
  expect((await logIn('ada@example.com', PASSWORD)).status).toBe(200);
  expect((await tries('ada@example.com').executeTakeFirst())?.count).toBe(7);
});

test.each(['/v2/token', '/git/shop.git/info/refs?service=git-upload-pack'])(
  'at %s an account is guessed 20 times, wherever that comes from and however its name is spelled',
  async (path) => {
    await forget();
    const knock = async (n: number) => {
      const name = `${' '.repeat(n)}ADA@example.com`;
      const authorization = `Basic ${Buffer.from(`${name}:nph_wrong`).toString('base64')}`;
      const headers = { authorization, 'x-forwarded-for': `198.51.100.${n}` };
      return (await fetch(new URL(path, world.url), { headers })).status;
    };
    for (let n = 1; n <= 20; n += 1) expect(await knock(n)).toBe(401);
    expect(await knock(21)).toBe(429);
  },
);
