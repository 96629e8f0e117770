import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitForm } from './auth-forms.ts';
import { createWorld, PASSWORD, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { rateLimits: true, trustProxy: '127.0.0.1' } });
  await world.as('Ada');
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
