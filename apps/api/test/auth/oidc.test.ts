import type { User } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Settings } from '../../src/core/settings.ts';
import { createWorld, PASSWORD, type World } from '../world.ts';
import { openPage, type Page } from './auth-forms.ts';
import { CONSOLE, comeBack as comeBackTo, logInAt, setOut, verified } from './oidc-login.ts';
import { CLIENT, type OidcServer, startOidcServer, visitProvider } from './oidc-server.ts';
import { ageProofs } from './two-step.ts';

const CALLBACK = '/api/login/oidc/callback';
const SEAL_CONTEXT = 'oidc-login';

let server: OidcServer;
let world: World;

function worldWith(issuer: string, { databaseUrl, ...settings }: Placed = {}): Promise<World> {
  const console = { publicUrl: new URL(CONSOLE), oidc: [{ ...CLIENT, issuer }] };
  return createWorld({ settings: { ...console, ...settings }, ...(databaseUrl && { databaseUrl }) });
}

type Placed = Partial<Settings> & { databaseUrl?: string };

beforeAll(async () => {
  // The provider says at length that it is set up for a test.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
  server = await startOidcServer(`${CONSOLE}${CALLBACK}`);
  world = await worldWith(server.issuer);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
  await server.close();
});
beforeEach(async () => {
  server.accounts.clear();
  await world.deps.db.deleteFrom('users').execute();
});

const begin = (query = '') => setOut(world, { query });
const whoIs = (cookie: string) => world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
const usersInDatabase = () => world.deps.db.selectFrom('users').selectAll().execute();

const comeBack = (address: URL, cookie: string) => comeBackTo(world, address, cookie);
const logIn = (login: string, query = '', cookie = '', place = world) =>
  logInAt(place, login, { query, cookie });

async function userOf(page: Page): Promise<User> {
  expect([page.status, page.html]).toEqual([303, '']);
  return (await whoIs(page.cookie)).body as User;
}

test('the way to the provider carries state, nonce and a PKCE challenge, and keeps its secrets sealed', async () => {
  const { status, headers } = await begin();
  expect(status).toBe(302);
  const { origin, searchParams } = new URL(headers.get('location') ?? '');
  expect(origin).toBe(server.issuer);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${CONSOLE}${CALLBACK}`,
    state: expect.stringMatching(/.{40}/),
    nonce: expect.stringMatching(/.{40}/),
    code_challenge: expect.stringMatching(/.{40}/),
    code_challenge_method: 'S256',
  });
  const [cookie = ''] = headers.getSetCookie();
  expect(cookie).toMatch(/^oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toContain(searchParams.get('state'));
});

test('a new person gets an account, a session and the page they wanted; the next time it is the same account', async () => {
  server.accounts.set('sub-1', verified('Ada@Example.com'));
  const page = await logIn('sub-1', '?returnTo=/dns');
  expect(page.headers.get('location')).toBe('/dns');
  const user = await userOf(page);
  expect(user).toMatchObject({
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'King',
    role: 'admin',
    handle: 'ada',
    trialActive: true,
  });
  server.accounts.set('sub-1', { email: 'moved@example.com', email_verified: false });
  expect((await userOf(await logIn('sub-1'))).id).toBe(user.id);
  expect(await usersInDatabase()).toHaveLength(1);
});

test('whoever is disabled stays out, connected already or not', async () => {
  server.accounts.set('sub-1', verified('ada@example.com'));
  const ada = await userOf(await logIn('sub-1'));
  const bob = await world.as('Bob');
  server.accounts.set('sub-2', verified(bob.user.email));
  const ids = [ada.id, bob.user.id];
  await world.deps.db.updateTable('users').set({ disabledAt: 'now' }).where('id', 'in', ids).execute();
  for (const login of ['sub-1', 'sub-2']) {
    const page = await logIn(login);
    expect(page.status, login).toBe(403);
    expect(page.html).toMatch(/role="alert"[^>]*>This account is disabled\. Ask an administrator\./);
  }
});

test('a proof is had from the provider: it asks anew who is logged in there', async () => {
  server.accounts.set('sub-1', verified('ada@example.com'));
  const { user } = { user: await userOf(await logIn('sub-1')) };
  await ageProofs(world, { user });
  const { headers } = await begin('?again=1');
  const { searchParams } = new URL(headers.get('location') ?? '');
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
  const { cookie } = await logIn('sub-1', '?again=1&returnTo=/account');
  const answer = await world.anyone.rest('POST /api/auth/totp', { headers: { cookie } });
  expect(answer.status).toBe(201);
});

test('someone without a password can set one', async () => {
  server.accounts.set('sub-1', verified('ada@example.com'));
  const { cookie } = await logIn('sub-1');
  const headers = { cookie };
  await world.anyone.rest('POST /api/auth/password', { headers, body: { newPassword: PASSWORD } });
  const body = { email: 'ada@example.com', password: PASSWORD };
  expect((await world.anyone.rest('POST /api/login', { body })).status).toBe(200);
});

test.each([
  { email: 'ada@example.com', email_verified: false },
  { email: 'ada@example.com' },
  { email_verified: true },
  { email: 'no address', email_verified: true },
])('%j is no proof of an address: 403, no account joined or made', async (claims) => {
  const { user } = await world.as('Ada');
  server.accounts.set('sub-1', claims);
  const page = await logIn('sub-1');
  expect(page.status).toBe(403);
  expect(page.html).toMatch(/role="alert"[^>]*>Your email address is not verified/);
  expect(page.cookie).toBe('oidc=');
  expect((await usersInDatabase()).map(({ id }) => id)).toEqual([user.id]);
});

test('a new person in two browsers at once is one account', async () => {
  server.accounts.set('sub-1', verified('ada@example.com'));
  const pages = await Promise.all([logIn('sub-1'), logIn('sub-1'), logIn('sub-1')]);
  const ids = await Promise.all(pages.map(async (page) => (await userOf(page)).id));
  expect(new Set(ids).size).toBe(1);
  expect(await usersInDatabase()).toHaveLength(1);
});

test('a session the browser had is ended', async () => {
  const { cookie } = await world.as('Bob');
  server.accounts.set('sub-1', verified('ada@example.com'));
  await logIn('sub-1', '', cookie);
  expect((await whoIs(cookie)).status).toBe(401);
});

test('returnTo stays on the origin', async () => {
  server.accounts.set('sub-1', verified('ada@example.com'));
  const page = await logIn('sub-1', '?returnTo=//evil.example');
  // Hers is the first account, whose home is the first steps.
  expect(page.headers.get('location')).toBe('/welcome');
});

test('where it is invite-only, a new person comes in by an invitation alone, everybody else as before', async () => {
  const closed = await worldWith(server.issuer, { databaseUrl: world.databaseUrl, signups: 'invite' });
  onTestFinished(() => closed.close());
  const admin = await closed.as('Admin');
  server.accounts.set('sub-1', verified('ada@example.com'));
  const refused = await logIn('sub-1', '', '', closed);
  expect(refused.status).toBe(403);
  expect(refused.html).toMatch(/role="alert"[^>]*>This server is invite-only\./);
  expect(await usersInDatabase()).toHaveLength(1);

  const { link } = await admin.rpc.admin.createInvitation.mutate({ email: 'ada@example.com' });
  const { html } = await openPage(new URL(link.replace(CONSOLE, closed.url)));
  const [, query = ''] = html.match(/href="\/api\/login\/oidc([^"]*)"/) ?? [];
  server.accounts.set('sub-2', verified('bob@example.com'));
  const other = await logIn('sub-2', query, '', closed);
  expect(other.html).toMatch(/role="alert"[^>]*>This invitation is for a different email address\./);
  expect(await userOf(await logIn('sub-1', query, '', closed))).toMatchObject({ role: 'member' });
  expect((await logIn('sub-2', query, '', closed)).html).toMatch(
    /role="alert"[^>]*>This invitation is no longer valid/,
  );
  const another = await admin.rpc.admin.createInvitation.mutate({});
  closed.deps.settings.signups = 'closed';
  const late = await logIn(
    'sub-2',
    `?invite=${new URL(another.link).searchParams.get('invite')}`,
    '',
    closed,
  );
  expect([late.status, late.html]).toEqual([
    403,
    expect.stringMatching(/role="alert"[^>]*>Sign-ups are closed on this server\./),
  ]);
  expect((await logIn('sub-1', '', '', closed)).status).toBe(303);
});

describe('an answer that does not belong to this browser', () => {
  /** Comes back with the attempt changed in one place; without a change it would log in. */
  async function comeBackWith(change: (attempt: Record<string, unknown>) => object): Promise<Page> {
    server.accounts.set('sub-1', verified('ada@example.com'));
    const start = await begin();
    const back = await visitProvider(start.headers.get('location') ?? '', 'sub-1');
    const { secrets } = world.deps;
    const sealed = Buffer.from(start.cookie.replace('oidc=', ''), 'base64url');
    const changed = change(JSON.parse(secrets.open(sealed, SEAL_CONTEXT)));
    const cookie = secrets.seal(JSON.stringify(changed), SEAL_CONTEXT).toString('base64url');
    return comeBack(back, `oidc=${cookie}`);
  }

  test('unchanged, it logs in', async () => {
    expect((await comeBackWith((attempt) => attempt)).status).toBe(303);
  });

  test.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['another nonce', { nonce: 'x'.repeat(43) }],
    ['another verifier', { verifier: 'x'.repeat(43) }],
    ['a start eleven minutes ago', { startedAt: Date.now() - 11 * 60 * 1000 }],
  ])('%s is 400', async (_what, change) => {
    const page = await comeBackWith((attempt) => ({ ...attempt, ...change }));
    expect([page.status, page.cookie]).toEqual([400, 'oidc=']);
    expect(page.html).toContain('role="alert"');
    expect(await usersInDatabase()).toEqual([]);
  });

  test.each(['', 'oidc=', 'oidc=AAAA', `oidc=${'A'.repeat(300)}`])('the cookie %j is 400', async (cookie) => {
    server.accounts.set('sub-1', verified('ada@example.com'));
    const start = await begin();
    const back = await visitProvider(start.headers.get('location') ?? '', 'sub-1');
    expect((await comeBack(back, cookie)).status).toBe(400);
  });

  test('a code is redeemed once', async () => {
    server.accounts.set('sub-1', verified('ada@example.com'));
    const start = await begin();
    const back = await visitProvider(start.headers.get('location') ?? '', 'sub-1');
    expect((await comeBack(back, start.cookie)).status).toBe(303);
    expect((await comeBack(back, start.cookie)).status).toBe(400);
  });
});

test('someone who gives up at the provider is back at the page, which says so', async () => {
  const page = await logIn('give up');
  expect(page.status).toBe(403);
  expect(page.html).toContain('Test ID could not confirm your identity.');
});

test('the page offers the provider, and keeps where the person was', async () => {
  const { html } = await openPage(new URL('/api/login?returnTo=/dns', world.url));
  expect(html).toMatch(/<a href="\/api\/login\/oidc\?returnTo=%2Fdns"[^>]*>Continue with Test ID<\/a>/);
});

test('a provider that is down is 503 on a page; once it is back, it is used', async () => {
  const gone = await startOidcServer(`${CONSOLE}${CALLBACK}`);
  await gone.close();
  const other = await worldWith(gone.issuer);
  try {
    const address = new URL('/api/login/oidc', other.url);
    const page = await openPage(address);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
    expect(page.html).toMatch(/role="alert"[^>]*>Test ID is unavailable right now/);
    const back = await startOidcServer(`${CONSOLE}${CALLBACK}`, Number(new URL(gone.issuer).port));
    expect((await openPage(address)).status).toBe(302);
    await back.close();
  } finally {
    await other.close();
  }
});

test('plain http is refused for a provider that is not on this machine', async () => {
  await expect(worldWith('http://id.example.com')).rejects.toThrow('OIDC_ISSUER must be an https address');
});

test('without a provider there is nothing to call', async () => {
  const plain = await createWorld();
  const { status } = await openPage(new URL('/api/login/oidc', plain.url));
  await plain.close();
  expect(status).toBe(404);
});
