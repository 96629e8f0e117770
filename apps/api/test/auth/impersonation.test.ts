import { randomUUID } from 'node:crypto';
import type { AdminUser, SignInConsent } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMailServer } from '../mail/mail-server.ts';
import { type Answer, callerOf, cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';

let world: World;
let admin: Person;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  admin = await world.as('Admin');
  ada = await world.as('Ada');
});
afterAll(() => world.close());
beforeEach(async () => {
  await ada.rest('DELETE /api/auth/sign-in-consent');
});

/** A new session of the admin, since the one that is exchanged ends. */
async function adminAnew(): Promise<Omit<Person, 'user'>> {
  const body = { email: admin.user.email, password: PASSWORD };
  const answer = await world.anyone.rest('POST /api/login', { body });
  return callerOf(world.url, cookieOf(answer.headers));
}

const begin = (who: Pick<Person, 'rest'>, userId = ada.user.id) =>
  who.rest(`POST /api/admin/users/${userId}/sign-in-as`);
const allow = (hours = 1) => ada.rest('PUT /api/auth/sign-in-consent', { body: { hours } });
const open = (who: Pick<Person, 'rest'>, begun: Answer) =>
  who.rest(`GET ${(begun.body as { path: string }).path}`);

async function signedInAs(): Promise<Omit<Person, 'user'>> {
  const own = await adminAnew();
  const answer = await open(own, await begin(own));
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  return callerOf(world.url, cookieOf(answer.headers));
}

test('nobody signs in as somebody who did not allow it, or does so no longer', async () => {
  const own = await adminAnew();
  expect(await begin(own)).toMatchObject({
    status: 403,
    body: { code: 'NO_CONSENT', message: 'They have to allow it first, on their Account page.' },
  });
  await allow();
  const begun = await begin(own);
  expect(begun.status).toBe(200);
  // The path is of use to the session that asked alone, and by a click of its own.
  expect((await open(world.anyone, begun)).status).toBe(403);
  expect((await open(await adminAnew(), begun)).status).toBe(403);
  const { path } = begun.body as { path: string };
  expect((await own.rest(`GET ${path}`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  await ada.rest('DELETE /api/auth/sign-in-consent');
  expect((await open(own, begun)).status).toBe(403);
  expect((await begin(ada)).status).toBe(403);
  expect((await begin(own, admin.user.id)).status).toBe(403);
});

test('the consent says until when and by whom it is used, at both doors', async () => {
  expect((await ada.rest('PUT /api/auth/sign-in-consent', { body: { hours: 5 } })).status).toBe(400);
  const { endsAt } = (await allow(24)).body as SignInConsent;
  const hours = (Date.parse(endsAt ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  const listed = (await (await adminAnew()).rest('GET /api/admin/users')).body as AdminUser[];
  const known = Object.fromEntries(listed.map((user) => [user.email, user.consentEndsAt]));
  expect(known).toEqual({ 'ada@example.com': endsAt, 'admin@example.com': null });
  const theirs = await signedInAs();
  expect(await ada.rpc.auth.signInConsent.query()).toEqual({ endsAt, signedIn: ['admin@example.com'] });
  expect(await theirs.rpc.auth.user.query()).toMatchObject({
    id: ada.user.id,
    impersonator: { email: 'admin@example.com', until: endsAt },
  });
  expect(await ada.rpc.auth.user.query()).toMatchObject({ impersonator: null });
  // Somebody's own sessions are theirs alone.
  const sessions = (await ada.rest('GET /api/auth/sessions')).body as unknown[];
  expect(sessions).toHaveLength(1);
  // Shortened, it shortens what is open.
  const shorter = (await allow(1)).body as SignInConsent;
  expect((await theirs.rpc.auth.user.query()).impersonator?.until).toBe(shorter.endsAt);
});

test('what outlasts the consent stays refused, at both doors, and the rest is on the record as whose it is', async () => {
  await allow();
  const theirs = await signedInAs();
  const password = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
  const id = randomUUID();
  const refused: [string, unknown?][] = [
    ['PUT /api/alert-preferences', {}],
    [`POST /api/alerts/${id}/mark`, { read: true }],
    ['POST /api/alerts/read', { through: id }],
    [`POST /api/projects/${id}/runs`, { command: 'env' }],
    [`POST /api/projects/${id}/cron-jobs`, { name: 'env', schedule: '* * * * *', command: 'env' }],
    [`PATCH /api/cron-jobs/${id}`, { command: 'env' }],
    [`POST /api/cron-jobs/${id}/run`],
    ['POST /api/auth/password', password],
    ['POST /api/auth/tokens', { name: 'kept', scope: 'write' }],
    ['POST /api/auth/email-change', { email: 'eve@example.com', password: PASSWORD }],
    ['POST /api/auth/proof', { password: PASSWORD }],
    ['POST /api/auth/totp'],
    ['PUT /api/auth/sign-in-consent', { hours: 24 }],
    ['DELETE /api/auth/sessions'],
    ['PATCH /api/auth/user', { firstName: 'Eve', lastName: '' }],
    ['POST /api/workspaces', { name: 'Eve' }],
    ['POST /api/payment-gateway/virtual-accounts', { accountName: 'Eve', currency: 'USD' }],
  ];
  for (const [route, body] of refused) {
    const { status, body: answer } = await theirs.rest(route, { body });
    expect([route, status, (answer as { code: string }).code]).toEqual([route, 403, 'IMPERSONATED']);
  }
  const token = theirs.rpc.auth.createToken.mutate({ name: 'kept', scope: 'write' } as never);
  await expect(token).rejects.toMatchObject({ data: { reason: 'IMPERSONATED' } });
  expect((await theirs.rest('GET /api/admin/users')).status).toBe(403);

  const made = await theirs.rest('POST /api/variable-groups', { body: { name: 'Shared' } });
  expect(made.status).toBe(201);
  const records = await world.deps.db
    .selectFrom('auditLog')
    .select(['procedure', 'actorEmail', 'asWhom', 'chain'])
    .where('procedure', 'in', ['variableGroups.create', 'auth.signInAs'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  const theirsAre = { actorEmail: 'admin@example.com', asWhom: ada.user.id, chain: ada.user.id };
  expect(records).toEqual([
    { procedure: 'variableGroups.create', ...theirsAre },
    { procedure: 'auth.signInAs', ...theirsAre },
  ]);
  const out = await theirs.rest('GET /api/logout');
  expect(out.status).toBe(302);
  expect((await theirs.rest('GET /api/auth/user')).status).toBe(401);
});

test('taking it back ends it at once, at both doors and in streams', async () => {
  await allow();
  const theirs = await signedInAs();
  const stream = await fetch(new URL('/trpc/alerts.changes?input={}', world.url), {
    headers: { cookie: theirs.cookie, accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  const ended = stream.text().catch(() => 'hung up');
  expect(await ada.rpc.auth.endSignInConsent.mutate()).toEqual({ endsAt: null, signedIn: [] });
  expect((await theirs.rest('GET /api/projects')).status).toBe(401);
  await expect(theirs.rpc.auth.user.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
  await ended;
  expect((await ada.rest('GET /api/auth/user')).status).toBe(200);
});

test('it ends by itself, and with the admin', async () => {
  await allow();
  const theirs = await signedInAs();
  const { db } = world.deps;
  await db.updateTable('users').set({ role: 'member' }).where('id', '=', admin.user.id).execute();
  expect((await theirs.rest('GET /api/auth/user')).status).toBe(401);
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.user.id).execute();
  expect((await theirs.rest('GET /api/auth/user')).status).toBe(200);
  await db
    .updateTable('sessions')
    .set({ endsAt: sql<string>`now() - interval '1 second'` })
    .where('impersonatorId', 'is not', null)
    .execute();
  expect((await theirs.rest('GET /api/auth/user')).status).toBe(401);
});

test('it ends with what ends the access of the admin, streams included', async () => {
  const { id } = admin.user;
  const other = await world.as('Other');
  await world.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', other.user.id).execute();
  const setRole = (role: string) => other.rest(`PATCH /api/admin/users/${id}/role`, { body: { role } });
  const ends: [string, () => Promise<Answer>, undo?: () => Promise<Answer>][] = [
    ['log out others', async () => (await adminAnew()).rest('DELETE /api/auth/sessions')],
    [
      'a new password',
      async () => {
        const body = { currentPassword: PASSWORD, newPassword: PASSWORD };
        return (await adminAnew()).rest('POST /api/auth/password', { body });
      },
    ],
    ['end access', () => other.rest(`POST /api/admin/users/${id}/end-access`)],
    [
      'disable',
      () => other.rest(`POST /api/admin/users/${id}/disable`),
      () => other.rest(`POST /api/admin/users/${id}/enable`),
    ],
    ['a member', () => setRole('member'), () => setRole('admin')],
  ];
  for (const [by, end, undo] of ends) {
    await allow();
    const theirs = await signedInAs();
    const stream = await fetch(new URL('/trpc/alerts.changes?input={}', world.url), {
      headers: { cookie: theirs.cookie, accept: 'text/event-stream' },
    });
    const hungUp = stream.text().catch(() => 'hung up');
    expect([by, stream.status, (await end()).status]).toEqual([by, 200, 200]);
    await hungUp;
    // Also where they become an admin again.
    await undo?.();
    expect([by, (await theirs.rest('GET /api/auth/user')).status]).toEqual([by, 401]);
    expect((await ada.rest('GET /api/auth/user')).status).toBe(200);
  }
});

test('its person is told by mail', async () => {
  const server = await startMailServer();
  world.deps.settings.mail = { smtpUrl: server.url, from: { name: 'Nephos', address: 'nephos@example.com' } };
  await allow();
  await signedInAs();
  const { text } = await server.mailTo('ada@example.com', /signed in as you/);
  expect(text).toContain('admin@example.com signed in to your account');
  await server.close();
});
