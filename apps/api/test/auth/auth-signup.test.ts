import { Email } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookieOf, createWorld, PASSWORD, type World } from '../world.ts';
import { describedBy, inputTag, submitForm } from './auth-forms.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(() => world.deps.db.deleteFrom('users').execute());
afterAll(() => world.close());

const signUp = (body: object) => world.anyone.rest('POST /api/signup', { body });
const signUpForm = (fields: Record<string, string>) => submitForm(new URL('/api/signup', world.url), fields);

test('by JSON: 201 with the person, a session, and a 14-day trial by the database', async () => {
  const answer = await signUp({
    email: ' Ada@Example.COM ',
    password: PASSWORD,
    firstName: 'Ada',
    id: 'x',
    role: 'x',
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: null,
    profileImageUrl: null,
    handle: 'ada',
    role: 'admin',
    trialActive: true,
    trialEndDate: expect.any(String),
    createdAt: expect.any(String),
  });
  const { trialEndDate, createdAt } = answer.body as { trialEndDate: string; createdAt: string };
  expect(Date.parse(trialEndDate) - Date.parse(createdAt)).toBe(14 * 24 * 60 * 60 * 1000);
  const me = await world.anyone.rest('GET /api/auth/user', { headers: { cookie: cookieOf(answer.headers) } });
  expect(me.body).toEqual({
    ...(answer.body as object),
    workspace: { id: expect.any(String), name: expect.any(String), personal: true, role: 'owner' },
    impersonator: null,
  });
});

test('by form: 303 to where the person was, with a session', async () => {
  const page = await signUpForm({ email: 'ada@example.com', password: PASSWORD, returnTo: '/dns?a=1' });
  expect([page.status, page.headers.get('location')]).toEqual([303, '/dns?a=1']);
  const me = await world.anyone.rest('GET /api/auth/user', { headers: { cookie: page.cookie } });
  expect(me.body).toMatchObject({ email: 'ada@example.com', firstName: null });
});

test('twenty people at once: one admin, twenty handles', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `same.name@host-${index}.example`);
  const answers = await Promise.all(names.map((email) => signUp({ email, password: PASSWORD })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
  const people = answers.map(({ body }) => body as { role: string; handle: string });
  expect(people.filter(({ role }) => role === 'admin')).toHaveLength(1);
  const handles = ['same.name', ...Array.from({ length: 19 }, (_, index) => `same.name-${index + 2}`)];
  expect(people.map(({ handle }) => handle).toSorted()).toEqual(handles.toSorted());
});

test('the same address twice at once: one account', async () => {
  const body = { email: 'ada@example.com', password: PASSWORD };
  const answers = await Promise.all([signUp(body), signUp({ ...body, email: 'ADA@example.com' })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});

test('a taken address is 409 in any case of letters, and the form says so beside the field', async () => {
  await world.as('Ada');
  const answer = await signUp({ email: 'ADA@EXAMPLE.com', password: PASSWORD });
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'EMAIL_TAKEN' });
  const page = await signUpForm({ email: 'Ada@Example.com', password: PASSWORD, firstName: 'Ada' });
  expect(page.status).toBe(409);
  expect(page.html).toContain('<title>Sign up · Nephos</title>');
  expect(describedBy(page.html, 'email')).toMatch(/this email already exists/);
  expect(inputTag(page.html, 'email')).toMatch(/ value="Ada@Example.com".* autofocus aria-invalid="true"/);
  expect(inputTag(page.html, 'firstName')).toContain('value="Ada"');
  expect(page.html).not.toContain(PASSWORD);
  expect(page.cookie).toBe('');
});

test('a handle is cut for its number, and numbers taken by name are passed over', async () => {
  const handleOf = async (email: string) => {
    const { body } = await signUp({ email, password: PASSWORD });
    return (body as { handle: string }).handle;
  };
  const long = 'a'.repeat(50);
  expect(await handleOf(`${long}@one.example`)).toBe('a'.repeat(40));
  expect(await handleOf(`${long}@two.example`)).toBe(`${'a'.repeat(33)}-2`);
  expect(await handleOf('bob-2@one.example')).toBe('bob-2');
  expect(await handleOf('bob-999999@one.example')).toBe('bob-999999');
  expect(await handleOf('bob@one.example')).toBe('bob');
  expect(await handleOf('bob@two.example')).toBe('bob-3');
  expect(await handleOf('bo_@one.example')).toBe('bo');
});

describe('bounds', () => {
  const local = 'a'.repeat(60);
  const domain = (length: number) =>
    `${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(length - 122 - 8)}.example`;
  const emailOf = (length: number) => `${local}@${domain(length - 61)}`;

  test.each([
    ['password', 8, { password: 'x'.repeat(8) }],
    ['password', 128, { password: 'x'.repeat(128) }],
    ['email', 254, { email: emailOf(254) }],
    ['firstName', 100, { firstName: 'x'.repeat(100) }],
  ])('%s of %i characters is taken', async (_field, _length, change) => {
    const answer = await signUp({ email: 'ada@example.com', password: PASSWORD, ...change });
    expect(answer.status).toBe(201);
  });

  test.each([
    ['password', { password: 'x'.repeat(7) }],
    ['password', { password: 'x'.repeat(129) }],
    ['password', { password: 12_345_678 }],
    ['password', { password: undefined }],
    ['email', { email: emailOf(255) }],
    ['email', { email: '' }],
    ['email', { email: 'ada' }],
    ['email', { email: 'ada@' }],
    ['email', { email: 'ada@example.com\r\nbcc: x@y.example' }],
    ['email', { email: ['ada@example.com'] }],
    ['firstName', { firstName: 'x'.repeat(101) }],
    ['lastName', { lastName: 'a\u0007b' }],
  ])('a wrong %s is 400 by both doors and makes no account', async (field, change) => {
    const body = { email: 'ada@example.com', password: PASSWORD, ...change };
    const answer = await signUp(body);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'VALIDATION', fields: [expect.objectContaining({ path: field })] }),
    ]);
    const texts = Object.entries(body).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const page = await signUpForm(Object.fromEntries(texts));
    if (texts.length === Object.keys(body).length) {
      expect(page.status).toBe(400);
      expect(inputTag(page.html, field)).toContain('autofocus aria-invalid="true"');
      expect(describedBy(page.html, field)?.length).toBeGreaterThan(10);
    }
    expect(await world.deps.db.selectFrom('users').selectAll().execute()).toEqual([]);
  });

  test.each(['a\0b@example.com', '\ud800'])('%j cannot be stored and is 400', async (firstName) => {
    const body = `{"email":"ada@example.com","password":"${PASSWORD}","firstName":${JSON.stringify(firstName)}}`;
    expect((await world.anyone.rest('POST /api/signup', { body })).status).toBe(400);
  });

  test('the test addresses are as long as they say', () => {
    expect([emailOf(254).length, emailOf(255).length]).toEqual([254, 255]);
    expect(Email.safeParse(emailOf(254)).success).toBe(true);
  });
});
