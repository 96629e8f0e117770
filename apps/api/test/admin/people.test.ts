import type { AdminUser } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submitForm } from '../auth/auth-forms.ts';
import { ageProofs, codeOf } from '../auth/two-step.ts';
import { callerOf, cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';

let world: World;
let replica: World;
let admin: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  replica = await createWorld({ databaseUrl: world.databaseUrl });
  admin = await world.as('Admin');
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

let made = 0;
/** Another person, in each test. */
function someone(): Promise<Person> {
  made += 1;
  return world.as(`Person${made}`);
}

const act = (who: Pick<Person, 'rest'>, what: string, userId: string) =>
  who.rest(`POST /api/admin/users/${userId}/${what}`);
const logIn = (email: string, password = PASSWORD) =>
  world.anyone.rest('POST /api/login', { body: { email, password } });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function tokenOf({ rpc }: Person): Promise<string> {
  return (await rpc.auth.createToken.mutate({ name: 'laptop', scope: 'write' })).token;
}

/** Opens a stream; `seen` ends with 'over' when it does. */
async function listenAs(cookie: string): Promise<{ seen: string[]; over: Promise<void> }> {
  const headers = { cookie, accept: 'text/event-stream' };
  const answer = await fetch(`${world.url}/trpc/billing.changes`, { headers });
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  const seen: string[] = [];
  const readOn = async (): Promise<void> => {
    const { done, value } = (await reader?.read().catch(() => null)) ?? { done: true, value: undefined };
    seen.push(done ? 'over' : Buffer.from(value ?? []).toString());
    if (!done) await readOn();
  };
  const over = readOn();
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  return { seen, over };
}

const DISABLED = 'This account is disabled. Ask an administrator.';

describe('somebody who is disabled', () => {
  test('is out by every way in at once, and learns why only with the right password', async () => {
    const ada = await someone();
    const token = await tokenOf(ada);
    const basic = `Basic ${btoa(`${ada.user.handle}:${token}`)}`;
    const registry = () => world.anyone.rest('GET /v2/', { headers: { authorization: basic } });
    const git = () =>
      world.anyone.rest('GET /git/nothing.git/info/refs?service=git-receive-pack', {
        headers: { authorization: basic },
      });
    expect((await world.anyone.rest('GET /api/auth/user', bearer(token))).status).toBe(200);

    const answer = await act(admin, 'disable', ada.user.id);
    expect(answer).toMatchObject({
      status: 200,
      body: { ...ada.user, disabledAt: expect.any(String) },
    });
    expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
    await expect(ada.rpc.auth.user.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
    expect((await world.anyone.rest('GET /api/auth/user', bearer(token))).status).toBe(401);
    expect((await registry()).status).toBe(401);
    expect((await git()).status).toBe(401);

    expect(await logIn(ada.user.email)).toMatchObject({
      status: 403,
      body: { code: 'ACCOUNT_DISABLED', message: DISABLED },
    });
    expect((await logIn(ada.user.email, 'something else')).body).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    const page = await submitForm(new URL('/api/login', world.url), {
      email: ada.user.email,
      password: PASSWORD,
    });
    expect(page.html).toMatch(new RegExp(`role="alert"[^>]*>${DISABLED}`));

    const listed = await admin.rpc.admin.users.query({ search: ada.user.email });
    expect(listed).toEqual([answer.body]);
    // Again, it stays what it is.
    expect((await admin.rpc.admin.disable.mutate({ userId: ada.user.id })).disabledAt).toBe(
      (answer.body as AdminUser).disabledAt,
    );
  });

  test('is out of a session and a token that came after, too', async () => {
    const ada = await someone();
    const token = await tokenOf(ada);
    const { db } = world.deps;
    await db.updateTable('users').set({ disabledAt: 'now' }).where('id', '=', ada.user.id).execute();
    expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
    expect((await world.anyone.rest('GET /api/auth/user', bearer(token))).status).toBe(401);
  });

  test('hears no stream any longer', async () => {
    const ada = await someone();
    const { seen, over } = await listenAs(ada.cookie);
    await admin.rest('GET /api/auth/user');
    expect(seen).not.toContain('over');
    await act(admin, 'disable', ada.user.id);
    await over;
    expect(seen.at(-1)).toBe('over');
  });

  test('logs in again once enabled, with nothing of what was ended', async () => {
    const ada = await someone();
    const token = await tokenOf(ada);
    await act(admin, 'disable', ada.user.id);
    expect(await act(admin, 'enable', ada.user.id)).toMatchObject({
      status: 200,
      body: { ...ada.user, disabledAt: null },
    });
    expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
    expect((await world.anyone.rest('GET /api/auth/user', bearer(token))).status).toBe(401);
    expect((await logIn(ada.user.email)).status).toBe(200);
  });
});

test('access ends without anybody being kept out', async () => {
  const ada = await someone();
  const token = await tokenOf(ada);
  await logIn(ada.user.email);
  expect(await act(admin, 'end-access', ada.user.id)).toMatchObject({
    status: 200,
    body: { sessions: 2, tokens: 1 },
  });
  expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
  expect((await world.anyone.rest('GET /api/auth/user', bearer(token))).status).toBe(401);
  expect((await logIn(ada.user.email)).status).toBe(200);
  expect(await admin.rpc.admin.endAccess.mutate({ userId: ada.user.id })).toEqual({ sessions: 1, tokens: 0 });
});

test('a service account is no person to act on', async () => {
  const { rpc } = await someone();
  const { id } = await rpc.workspaces.create.mutate({ name: 'Shop' });
  const { userId } = await rpc.workspaces.createServiceAccount.mutate({ id, name: 'Bot', role: 'viewer' });
  for (const what of ['disable', 'password-link']) expect((await act(admin, what, userId)).status).toBe(404);
});

test('people are found by the names of their newest workspaces', async () => {
  const [early, late] = [await someone(), await someone()];
  const own = async ({ rpc }: Person) => (await rpc.workspaces.create.mutate({ name: 'Observatory' })).id;
  const found = async () =>
    ((await admin.rest('GET /api/admin/users?search=observatory')).body as AdminUser[]).map(({ id }) => id);
  await own(early);
  expect(await found()).toEqual([early.user.id]);
  await world.deps.db
    .insertInto('workspaces')
    .values(
      Array.from({ length: 99 }, (_, n) => ({
        name: 'Observatory',
        personal: false,
        handle: `observatory-of-${n}`,
      })),
    )
    .execute();
  await own(late);
  expect(await found()).toEqual([late.user.id]);
});

test('a session that ends hears no stream any longer', async () => {
  const ada = await someone();
  const newPassword = 'another horse battery';
  for (const end of [
    () => ada.rest('DELETE /api/auth/sessions'),
    () => ada.rest('POST /api/auth/password', { body: { currentPassword: PASSWORD, newPassword } }),
  ]) {
    const { over } = await listenAs(cookieOf((await logIn(ada.user.email)).headers));
    expect((await end()).status).toBe(200);
    await over;
  }
});

test('a session that was left open acts on nobody', async () => {
  const { user } = await someone();
  await ageProofs(world, admin);
  const refused = { status: 403, body: { code: 'PROOF_REQUIRED' } };
  for (const what of ['disable', 'enable', 'password-link', 'end-access']) {
    expect(await act(admin, what, user.id)).toMatchObject(refused);
  }
  const email = { body: { email: 'other@example.com' } };
  expect(await admin.rest(`PATCH /api/admin/users/${user.id}/email`, email)).toMatchObject(refused);
  const limits = { body: { projects: 9 } };
  expect(await admin.rest(`PATCH /api/admin/workspaces/${user.id}/limits`, limits)).toMatchObject(refused);
  expect((await admin.rest('POST /api/auth/proof', { body: { password: PASSWORD } })).status).toBe(200);
});

test('a new password is set by a link, once', async () => {
  const ada = await someone();
  const answer = await act(admin, 'password-link', ada.user.id);
  expect(answer.status).toBe(201);
  const { link } = answer.body as { link: string };
  const token = new URL(link).searchParams.get('token') ?? '';
  expect((await fetch(new URL(new URL(link).pathname + new URL(link).search, world.url))).status).toBe(200);
  const password = 'another horse battery';
  const reset = () => world.anyone.rest('POST /api/login/reset', { body: { token, password } });
  expect((await reset()).status).toBe(200);
  expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
  expect((await logIn(ada.user.email, password)).status).toBe(200);
  expect(await reset()).toMatchObject({ status: 403, body: { code: 'LINK_INVALID' } });
  const stored = await world.deps.db.selectFrom('passwordResets').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
});

test('a lost second factor is removed, and the password lets in again', async () => {
  const ada = await someone();
  const removal = (id = ada.user.id) => admin.rest(`DELETE /api/admin/users/${id}/second-factor`);
  const none = {
    status: 409,
    body: { code: 'NO_SECOND_FACTOR', message: 'This account has no second factor.' },
  };
  expect(await removal()).toMatchObject(none);
  const { secret } = await ada.rpc.auth.beginTotp.mutate();
  await ada.rpc.auth.confirmTotp.mutate({ code: codeOf(secret) });
  const half = await logIn(ada.user.email);
  const whoIs = (headers: Headers) => callerOf(world.url, cookieOf(headers)).rest('GET /api/auth/user');
  expect((await whoIs(half.headers)).status).toBe(401);

  expect((await ada.rest(`DELETE /api/admin/users/${admin.user.id}/second-factor`)).status).toBe(403);
  expect(await removal(admin.user.id)).toMatchObject({ status: 403, body: { code: 'OWN_ACCOUNT' } });
  expect(await removal()).toMatchObject({ status: 200, body: { success: true } });
  expect((await whoIs((await logIn(ada.user.email)).headers)).status).toBe(200);
  expect(await ada.rpc.auth.factors.query()).toMatchObject({
    totp: false,
    recoveryCodesLeft: 0,
    passkeys: [],
  });
  const userId = ada.user.id;
  await expect(admin.rpc.admin.removeSecondFactor.mutate({ userId })).rejects.toMatchObject({
    data: { reason: 'NO_SECOND_FACTOR' },
  });
  const records = await world.deps.db
    .selectFrom('auditLog')
    .select('actorId')
    .where('procedure', '=', 'admin.removeSecondFactor')
    .execute();
  expect(records).toEqual([{ actorId: admin.user.id }]);

  await ageProofs(world, admin);
  expect(await removal()).toMatchObject({ status: 403, body: { code: 'PROOF_REQUIRED' } });
  await admin.rpc.auth.prove.mutate({ password: PASSWORD });
});

test('an address is changed, where it is free', async () => {
  const ada = await someone();
  const change = (userId: string, email: string) =>
    admin.rest(`PATCH /api/admin/users/${userId}/email`, { body: { email } });
  const { link } = (await act(admin, 'password-link', ada.user.id)).body as { link: string };
  expect(await change(ada.user.id, ' Countess@Example.com ')).toMatchObject({
    status: 200,
    body: { email: 'countess@example.com' },
  });
  expect((await ada.rest('GET /api/auth/user')).body).toMatchObject({ email: 'countess@example.com' });
  expect((await logIn('countess@example.com')).status).toBe(200);
  const reset = { token: new URL(link).searchParams.get('token') ?? '', password: PASSWORD };
  expect((await world.anyone.rest('POST /api/login/reset', { body: reset })).status).toBe(403);
  expect((await logIn(ada.user.email)).status).toBe(403);
  expect(await change(ada.user.id, admin.user.email)).toMatchObject({
    status: 409,
    body: { code: 'EMAIL_TAKEN' },
  });
  expect(await change(ada.user.id, 'countess@')).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'email' }] },
  });
  const own = await admin.rpc.admin.changeEmail.mutate({ userId: admin.user.id, email: 'root@example.com' });
  expect(own.email).toBe('root@example.com');
  await change(admin.user.id, admin.user.email);
});

test.each([
  ['disable', "You can't disable your own account."],
  ['enable', 'Your own account is enabled.'],
  ['password-link', 'Change your own password on your Account page.'],
  ['end-access', 'End your own sessions and access tokens on your Account page.'],
])('%s is not for oneself, for a member, for a token, for nobody', async (what, own) => {
  const ada = await someone();
  expect(await act(admin, what, admin.user.id)).toMatchObject({
    status: 403,
    body: { code: 'OWN_ACCOUNT', message: own },
  });
  expect((await act(ada, what, admin.user.id)).status).toBe(403);
  expect((await act(world.anyone, what, ada.user.id)).status).toBe(401);
  const token = await tokenOf(admin);
  const path = `POST /api/admin/users/${ada.user.id}/${what}`;
  expect((await world.anyone.rest(path, bearer(token))).status).toBe(403);
  for (const id of ['0197a000-0000-7000-8000-000000000001', 'nobody']) {
    expect(await act(admin, what, id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
  expect((await ada.rest('GET /api/auth/user')).status).toBe(200);
});

test('two admins who disable each other at once leave exactly one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = [await someone(), await someone()];
    for (const { user } of [one, other]) {
      await admin.rpc.admin.changeRole.mutate({ userId: user.id, role: 'admin' });
    }
    const statuses = await Promise.all([
      act(one, 'disable', other.user.id),
      act(callerOf(replica.url, other.cookie), 'disable', one.user.id),
    ]).then((answers) => answers.map(({ status }) => status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // Too late by the session, or by the lock.
    expect([401, 403]).toContain(statuses.find((status) => status !== 200));
    const open = await world.deps.db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', [one.user.id, other.user.id])
      .where('disabledAt', 'is', null)
      .execute();
    expect(open).toHaveLength(1);
  }
});

test('a log-in at the same time leaves no session', async () => {
  const ada = await someone();
  const [entered] = await Promise.all([logIn(ada.user.email), act(admin, 'disable', ada.user.id)]);
  const { rest } = callerOf(world.url, cookieOf(entered.headers));
  expect((await rest('GET /api/auth/user')).status).toBe(401);
  const { db } = world.deps;
  const left = await db.selectFrom('sessions').select('id').where('userId', '=', ada.user.id).execute();
  expect(left).toEqual([]);
});
