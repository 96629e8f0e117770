import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';

const NEW_PASSWORD = 'a new and longer one';

let world: World;
let people = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const someone = () => world.as(`Person-${++people}`);
const whoIs = (cookie: string) => world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
const logIn = ({ user }: Person, password = PASSWORD) =>
  world.anyone.rest('POST /api/login', {
    body: { email: user.email, password },
    headers: { 'user-agent': 'Other browser' },
  });

describe('the name', () => {
  test('is changed by both doors, trimmed, and emptied to none', async () => {
    const ada = await someone();
    const changed = await ada.rest('PATCH /api/auth/user', { body: { firstName: ' Ada ', lastName: '' } });
    expect([changed.status, changed.body]).toEqual([200, { ...ada.user, firstName: 'Ada', lastName: null }]);
    expect(await ada.rpc.auth.updateProfile.mutate({ firstName: '', lastName: 'King' })).toEqual({
      ...ada.user,
      firstName: null,
      lastName: 'King',
    });
  });

  test('nothing else is taken', async () => {
    const ada = await someone();
    const body = { firstName: 'A', lastName: 'B', role: 'admin', email: 'x@example.com', id: randomUUID() };
    const { body: user } = await ada.rest('PATCH /api/auth/user', { body });
    expect(user).toEqual({ ...ada.user, firstName: 'A', lastName: 'B' });
  });

  test.each([
    { firstName: 'A' },
    { firstName: 'x'.repeat(101), lastName: '' },
    { firstName: 'a\nb', lastName: '' },
  ])('%j is 400', async (body) => {
    const ada = await someone();
    expect((await ada.rest('PATCH /api/auth/user', { body })).status).toBe(400);
    expect((await ada.rest('GET /api/auth/user')).body).toMatchObject(ada.user);
  });
});

describe('the password', () => {
  const change = (person: Person, body: object, headers: Record<string, string> = {}) =>
    person.rest('POST /api/auth/password', { body, headers });

  test('once changed, the old one is dead and so is every other session', async () => {
    const ada = await someone();
    const other = cookieOf((await logIn(ada)).headers);
    const answer = await change(ada, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await whoIs(other)).status).toBe(401);
    expect((await whoIs(ada.cookie)).status).toBe(200);
    expect((await logIn(ada)).status).toBe(403);
    expect((await logIn(ada, NEW_PASSWORD)).status).toBe(200);
  });

  test.each([{ currentPassword: 'wrong' }, {}])(
    'with %j as proof: 403, and nothing changes',
    async (proof) => {
      const ada = await someone();
      const other = cookieOf((await logIn(ada)).headers);
      const answer = await change(ada, { ...proof, newPassword: NEW_PASSWORD });
      expect([answer.status, answer.body]).toEqual([
        403,
        expect.objectContaining({ code: 'INVALID_CREDENTIALS' }),
      ]);
      const call = ada.rpc.auth.changePassword.mutate({ ...proof, newPassword: NEW_PASSWORD });
      await expect(call).rejects.toMatchObject({ data: { httpStatus: 403, reason: 'INVALID_CREDENTIALS' } });
      expect((await whoIs(other)).status).toBe(200);
      expect((await logIn(ada)).status).toBe(200);
    },
  );

  test.each([7, 129])('a new one of %i characters is 400', async (length) => {
    const ada = await someone();
    const answer = await change(ada, { currentPassword: PASSWORD, newPassword: 'x'.repeat(length) });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'VALIDATION' })]);
  });

  test('two changes at once: one holds, and only its password works', async () => {
    const ada = await someone();
    const wishes = ['first wish 1', 'second wish 2'];
    const answers = await Promise.all(
      wishes.map((newPassword) => change(ada, { currentPassword: PASSWORD, newPassword })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const winner = wishes[answers.findIndex(({ status }) => status === 200)];
    expect((await logIn(ada, winner)).status).toBe(200);
  });

  test('no log-in by the old password outlives a change, however they meet', async () => {
    const ada = await someone();
    for (let round = 0; round < 8; round++) {
      const [old, next] = [round, round + 1].map((index) => (index === 0 ? PASSWORD : `password ${index}`));
      const [, ...logins] = await Promise.all([
        change(ada, { currentPassword: old, newPassword: next }),
        ...Array.from({ length: 4 }, () => logIn(ada, old)),
      ]);
      const cookies = logins.map(({ headers }) => cookieOf(headers)).filter(Boolean);
      const lives = await Promise.all(cookies.map(whoIs));
      expect(lives.filter(({ status }) => status === 200)).toEqual([]);
    }
  });

  test('is the same one in any Unicode form', async () => {
    const ada = await someone();
    await change(ada, { currentPassword: PASSWORD, newPassword: 'p\u00e9ssword' });
    expect((await logIn(ada, 'pe\u0301ssword')).status).toBe(200);
  });

  test('a repeated change with one Idempotency-Key happens once', async () => {
    const ada = await someone();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const answers = [await change(ada, body, headers), await change(ada, body, headers)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('sessions', () => {
  test('are listed newest first, by both doors, without what would open them', async () => {
    const ada = await someone();
    await logIn(ada);
    const { body, text } = await ada.rest('GET /api/auth/sessions');
    expect(body).toEqual(await ada.rpc.auth.sessions.query());
    expect(body).toEqual([
      expect.objectContaining({
        current: false,
        userAgent: 'Other browser',
        ipAddress: '127.0.0.1',
        place: 'Local network',
      }),
      expect.objectContaining({ current: true }),
    ]);
    const { rows } = { rows: await world.deps.db.selectFrom('sessions').select('id').execute() };
    for (const { id } of rows) expect(text).not.toContain(id);
    expect(text).not.toContain(ada.cookie.split('=')[1]);
  });

  test('one is ended by its public id, once', async () => {
    const ada = await someone();
    const other = cookieOf((await logIn(ada)).headers);
    const [{ id } = { id: '' }] = await ada.rpc.auth.sessions.query();
    const answer = await ada.rest(`DELETE /api/auth/sessions/${id}`);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await whoIs(other)).status).toBe(401);
    expect((await ada.rest(`DELETE /api/auth/sessions/${id}`)).status).toBe(404);
    await expect(ada.rpc.auth.revokeSession.mutate({ id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
  });

  test("somebody else's, an unknown one and a malformed id are the same 404", async () => {
    const ada = await someone();
    const bob = await someone();
    const [{ id } = { id: '' }] = await bob.rpc.auth.sessions.query();
    const answers = await Promise.all(
      [id, randomUUID(), 'nonsense'].map((name) => ada.rest(`DELETE /api/auth/sessions/${name}`)),
    );
    const bodies = answers.map(({ text }) => text.replace(/"requestId":"[^"]+"/, ''));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(bodies).size).toBe(1);
    expect((await whoIs(bob.cookie)).status).toBe(200);
    expect(await ada.rpc.auth.sessions.query()).toHaveLength(1);
  });

  test('all of it needs a session', async () => {
    const calls = [
      'GET /api/auth/sessions',
      'PATCH /api/auth/user',
      'POST /api/auth/password',
      `DELETE /api/auth/sessions/${randomUUID()}`,
    ];
    const answers = await Promise.all(calls.map((route) => world.anyone.rest(route)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});
