import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeResetLink } from '../../src/domains/auth/reset-links.ts';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { describedBy, openPage, type Page, submitForm } from './auth-forms.ts';
import { Authenticator } from './authenticator.ts';
import { CONSOLE, comeBack, logInAt, startTwoProviders, verified } from './oidc-login.ts';
import { type OidcServer, visitProvider } from './oidc-server.ts';
import { ageProofs, codeOf } from './two-step.ts';

const CONNECT = '/api/login/connect';

let first: OidcServer;
let work: OidcServer;
let world: World;
let ada: Person;

beforeAll(async () => {
  const providers = await startTwoProviders();
  ({ first, work } = providers);
  world = await createWorld({
    running: true,
    settings: {
      publicUrl: new URL(CONSOLE),
      rateLimits: true,
      mail: {
        smtpUrl: new URL('smtp://127.0.0.1:9'),
        from: { name: 'Nephos', address: 'nephos@example.com' },
      },
      oidc: providers.oidc,
    },
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
  await Promise.all([first.close(), work.close()]);
});
beforeEach(async () => {
  for (const { accounts } of [first, work]) accounts.clear();
  for (const table of ['users', 'rateLimits', 'mails'] as const)
    await world.deps.db.deleteFrom(table).execute();
  ada = await world.as('Ada');
  first.accounts.set('sub-1', verified('ada@example.com'));
});

const whoIs = (cookie: string) => world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
const idOf = async ({ cookie }: Page) => ((await whoIs(cookie)).body as { id?: string }).id;
const identities = () =>
  world.deps.db.selectFrom('identities').select(['subject', 'userId', 'email']).execute();
const connected = (userId = ada.user.id) => [{ subject: 'sub-1', userId, email: 'ada@example.com' }];
const records = () =>
  world.deps.db
    .selectFrom('auditLog')
    .select(['actorEmail', 'chain', 'after'])
    .where('procedure', '=', 'auth.connectIdentity')
    .where('chain', '=', ada.user.id)
    .execute();
const give = (page: Page, fields: Record<string, string>, path = CONNECT) =>
  submitForm(new URL(path, world.url), fields, { cookie: page.cookie });

/** Comes from the provider, and is led to the page that asks for the account's own proof. */
async function stopped(login = 'sub-1', way: Parameters<typeof logInAt>[2] = {}): Promise<Page> {
  const page = await logInAt(world, login, way);
  expect(page.headers.get('location')).toMatch(/^\/api\/login\/connect/);
  expect(page.cookie).toMatch(/connect=[\w-]{43}/);
  expect(page.cookie).not.toContain('session=');
  return page;
}

const shown = (page: Page) => openPage(new URL(CONNECT, world.url), { cookie: page.cookie });

test('an account with a password is connected after the password was given once, and not before', async () => {
  const page = await stopped('sub-1', { query: '?returnTo=/dns' });
  expect(page.headers.get('location')).toBe(`${CONNECT}?returnTo=%2Fdns`);
  const { html } = await shown(page);
  expect(html).toContain('Connect Test ID with your account');
  expect(html).toContain('ada@example.com has an account here already.');
  expect([await identities(), (await whoIs(ada.cookie)).status]).toEqual([[], 200]);

  const wrong = await give(page, { password: 'not this one' });
  expect([wrong.status, describedBy(wrong.html, 'password')]).toEqual([403, 'Incorrect password.']);
  expect(await identities()).toEqual([]);

  const entered = await give(page, { password: PASSWORD, returnTo: '/dns' });
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/dns']);
  expect(await idOf(entered)).toBe(ada.user.id);
  expect(entered.cookie).toMatch(/(^|; )connect=(;|$)/);
  expect(await identities()).toEqual(connected());
  expect(await records()).toMatchObject([
    { actorEmail: 'ada@example.com', after: { name: 'Test ID', email: 'ada@example.com' } },
  ]);
  expect(await world.deps.db.selectFrom('mails').selectAll().execute()).toHaveLength(2);
  // What was there before goes on, and the next time nothing is asked.
  expect((await whoIs(ada.cookie)).status).toBe(200);
  expect(await idOf(await logInAt(world, 'sub-1'))).toBe(ada.user.id);
});

test('a second factor is asked for too', async () => {
  const { secret } = await ada.rpc.auth.beginTotp.mutate();
  await ada.rpc.auth.confirmTotp.mutate({ code: codeOf(secret) });
  const page = await stopped();
  const half = await give(page, { password: PASSWORD });
  expect(half.headers.get('location')).toBe('/api/login/second-factor');
  const cookie = `${page.cookie}; ${half.cookie}`;
  const wrong = await give({ ...page, cookie }, { code: '000000' }, '/api/login/second-factor');
  expect([wrong.status, await identities()]).toEqual([403, []]);
  const entered = await give({ ...page, cookie }, { code: codeOf(secret, 1) }, '/api/login/second-factor');
  expect([entered.status, await idOf(entered), await identities()]).toEqual([303, ada.user.id, connected()]);
});

test('an account that has a passkey alone is connected by that', async () => {
  const key = new Authenticator({ origin: CONSOLE });
  const created = key.create(await ada.rpc.auth.beginPasskey.mutate());
  await ada.rpc.auth.addPasskey.mutate({ name: 'Laptop', response: created });
  await world.deps.db.updateTable('users').set({ passwordHash: null }).execute();
  const page = await stopped();
  const { html } = await shown(page);
  expect([html.includes('Use a passkey'), html.includes('name="password"')]).toEqual([true, false]);
  const headers = { cookie: page.cookie };
  const options = await world.anyone.rest('POST /api/login/passkey/options', { headers });
  const response = key.get(options.body as Parameters<typeof key.get>[0]);
  const entered = await world.anyone.rest('POST /api/login/passkey', { headers, body: { response } });
  expect([entered.status, await identities()]).toEqual([200, connected()]);
});

test('an account of another provider is connected by a log-in with that one', async () => {
  work.accounts.set('sub-w', verified('eve@example.com'));
  const eve = await idOf(await logInAt(world, 'sub-w', { id: 'work' }));
  first.accounts.set('sub-e', verified('eve@example.com'));
  const page = await stopped('sub-e');
  expect((await shown(page)).html).toMatch(/href="\/api\/login\/oidc\/work"[^>]*>Continue with Work ID</);
  const entered = await logInAt(world, 'sub-w', { id: 'work', cookie: page.cookie });
  expect(await idOf(entered)).toBe(eve);
  expect(await idOf(await logInAt(world, 'sub-e'))).toBe(eve);
});

test('an account that nothing else opens any more is joined, and nobody else stays in it', async () => {
  await world.deps.db.updateTable('users').set({ passwordHash: null }).execute();
  const gone = { issuer: 'https://former.example.com', subject: 'x', userId: ada.user.id };
  await world.deps.db.insertInto('identities').values(gone).execute();
  expect(await idOf(await logInAt(world, 'sub-1'))).toBe(ada.user.id);
  expect((await whoIs(ada.cookie)).status).toBe(401);
});

test('a squatter keeps the account, and loses it with all ways into it by a link to the address', async () => {
  const [squatter, { db }] = [ada, world.deps];
  const page = await stopped();
  expect((await give(page, { password: 'a guess of mine' })).status).toBe(403);
  expect((await shown(page)).html).toContain('by a link that we mail to you');
  // One of the squatter's own, which any provider may have verified.
  const own = {
    issuer: work.issuer,
    subject: 'sub-s',
    userId: squatter.user.id,
    email: 'squatter@example.com',
  };
  await db.insertInto('identities').values(own).execute();
  const link = await makeResetLink(db, squatter.user.id, 1);
  const token = new URL(link, world.url).searchParams.get('token') ?? '';
  const password = 'another horse battery';
  await world.anyone.rest('POST /api/login/reset', { body: { token, password } });
  expect([(await whoIs(squatter.cookie)).status, await identities()]).toEqual([401, []]);
  const entered = await give(await stopped(), { password });
  expect([entered.status, await identities()]).toEqual([303, connected()]);
});

describe('whom a squatter let in', () => {
  const PASSWORD_SET = 'another horse battery';

  /** Somebody whom the account's personal workspace has as an owner, and a service account's token. */
  async function guests(): Promise<{ guest: Person; token: string }> {
    const guest = await world.as('Guest');
    const id = ada.user.id;
    const { db } = world.deps;
    const member = { workspaceId: id, userId: guest.user.id, role: 'owner' as const };
    await db.insertInto('workspaceMembers').values(member).execute();
    const path = `/api/workspaces/${id}/service-accounts`;
    const robot = await ada.rest(`POST ${path}`, { body: { name: 'Robot', role: 'admin' } });
    const { userId } = robot.body as { userId: string };
    const made = await ada.rest(`POST ${path}/${userId}/tokens`, { body: { name: 'CI', scope: 'write' } });
    expect([robot.status, made.status]).toEqual([201, 201]);
    return { guest, token: (made.body as { token: string }).token };
  }

  const stay = async ({ guest, token }: Awaited<ReturnType<typeof guests>>) => {
    const inTheirs = { 'x-workspace': ada.user.id };
    const [asGuest, asRobot] = await Promise.all([
      guest.rest('GET /api/projects', { headers: inTheirs }),
      world.anyone.rest('GET /api/projects', { headers: { authorization: `Bearer ${token}` } }),
    ]);
    return [asGuest.status, asRobot.status];
  };
  const use = (link: string, cookie: string) =>
    submitForm(
      new URL('/api/login/reset', world.url),
      { token: new URL(link, world.url).searchParams.get('token') ?? '', password: PASSWORD_SET },
      { cookie },
    );
  /** The link that is made for who asks in this browser. */
  const ask = async (cookie: string) => {
    const sent = await submitForm(
      new URL('/api/login/forgot', world.url),
      { email: ada.user.email },
      { cookie },
    );
    expect(sent.status).toBe(200);
    const made = () =>
      world.deps.db
        .selectFrom('passwordResets')
        .select('takesOver')
        .where('userId', '=', ada.user.id)
        .execute();
    await expect.poll(made).toHaveLength(1);
    return made();
  };

  test('is out with them once who was stopped has set a new password', async () => {
    const invited = await guests();
    const { db } = world.deps;
    const change = { email: 'mallory@example.com', password: PASSWORD };
    expect((await ada.rest('POST /api/auth/email-change', { body: change })).status).toBe(200);
    expect(await stay(invited)).toEqual([200, 200]);
    const page = await stopped();
    // Also long after what it waited for has expired, and after a look at the log-in's page.
    await db.deleteFrom('pendingIdentities').execute();
    const plain = await openPage(new URL('/api/login', world.url), { cookie: page.cookie });
    expect(plain.cookie).toBe('connect=');
    const link = await makeResetLink(db, ada.user.id, 1);
    const form = await openPage(new URL(link, world.url), { cookie: page.cookie });
    expect(form.html).toContain('will be removed from your personal workspace');
    const done = await use(link, page.cookie);
    expect([done.status, await stay(invited)]).toEqual([303, [404, 401]]);
    expect(done.cookie).toBe('stopped=');
    expect(await db.selectFrom('emailChanges').selectAll().execute()).toEqual([]);
  });

  test('is out with them by the link that was asked for there, wherever it is opened', async () => {
    const invited = await guests();
    const { cookie } = await stopped();
    expect(await ask(cookie)).toEqual([{ takesOver: true }]);
    const link = await makeResetLink(world.deps.db, ada.user.id, 1, true);
    expect((await openPage(new URL(link, world.url))).html).toContain('from your personal workspace');
    expect([(await use(link, '')).status, await stay(invited)]).toEqual([303, [404, 401]]);
  });

  test('stays where a stranger at a provider was stopped, and its person has only forgotten the password', async () => {
    const invited = await guests();
    const strangers = await stopped();
    expect(await ask('')).toEqual([{ takesOver: false }]);
    const link = await makeResetLink(world.deps.db, ada.user.id, 1);
    const form = await openPage(new URL(link, world.url));
    expect(form.html).not.toContain('from your personal workspace');
    expect([(await use(link, '')).status, await stay(invited)]).toEqual([303, [200, 200]]);
    // Who is in knows the password: what is forgotten later was known.
    const entered = await give(strangers, { password: PASSWORD_SET });
    expect(entered.cookie).toMatch(/(^|; )stopped=(;|$)/);
  });
});

test('nothing is connected with another account, nor by a log-in that is not meant to', async () => {
  const page = await stopped();
  const bob = await world.as('Bob');
  const login = { email: bob.user.email, password: PASSWORD };
  expect((await give(page, login, '/api/login')).status).toBe(303);
  expect(await identities()).toEqual([]);
  const plain = await openPage(new URL('/api/login', world.url), { cookie: page.cookie });
  expect(plain.cookie).toBe('connect=');
});

test('two browsers at once connect one login once', async () => {
  const pages = [await stopped(), await stopped()];
  const entered = await Promise.all(pages.map((page) => give(page, { password: PASSWORD })));
  expect(entered.map(({ status }) => status)).toEqual([303, 303]);
  expect([await identities(), (await records()).length]).toEqual([connected(), 1]);
});

test('the same page sent twice connects once, and the second time is a log-in too or none', async () => {
  const page = await stopped();
  const entered = await Promise.all([1, 2].map(() => give(page, { password: PASSWORD })));
  expect(entered.map(({ status }) => status).filter((status) => status !== 400)).toContain(303);
  expect([await identities(), (await records()).length]).toEqual([connected(), 1]);
});

describe('what expires or is guessed', () => {
  test('after ten minutes it begins anew', async () => {
    const page = await stopped();
    await world.deps.db.updateTable('pendingIdentities').set({ expiresAt: '2020-01-01T00:00:00Z' }).execute();
    expect((await shown(page)).headers.get('location')).toBe('/api/login');
    const late = await give(page, { password: PASSWORD });
    expect([late.status, await identities()]).toEqual([400, []]);
    await world.deps.domains.auth.sweeps?.pendingIdentities?.();
    expect(await world.deps.db.selectFrom('pendingIdentities').selectAll().execute()).toEqual([]);
  });

  test('passwords are guessed here as seldom as at the log-in', async () => {
    const page = await stopped();
    const guess = () => give(page, { password: 'a guess of mine' });
    for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(403);
    const { status, html, headers } = await guess();
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(html).toMatch(/role="alert"/);
    expect((await give(page, { password: PASSWORD })).status).toBe(429);
  });

  test('a program is told in JSON', async () => {
    const { cookie } = await stopped();
    const call = (password: string) =>
      world.anyone.rest(`POST ${CONNECT}`, { headers: { cookie }, body: { password } });
    expect(await call('not this one')).toMatchObject({ status: 403, body: { code: 'INVALID_CREDENTIALS' } });
    expect(await call(PASSWORD)).toMatchObject({ status: 200, body: { id: ada.user.id } });
  });
});

describe('on the account page', () => {
  const begin = (providerId = 'work') => ada.rest('POST /api/auth/connections', { body: { providerId } });
  const setOutFrom = async () => ((await begin()).body as { path: string }).path;

  /** Goes the way that the account page leads to, in the browser of `cookie`. */
  async function connect(path: string, login: string, cookie = ada.cookie): Promise<Page> {
    const query = path.slice(path.indexOf('?'));
    return logInAt(world, login, { id: 'work', query, cookie });
  }

  test('a provider is connected whatever its address, shown, and logs in from then on', async () => {
    work.accounts.set('sub-w', verified('ada@work.example'));
    const page = await connect(await setOutFrom(), 'sub-w');
    expect([page.status, page.headers.get('location')]).toEqual([303, '/account']);
    expect(await ada.rpc.auth.connections.query()).toEqual({
      connections: [
        {
          ...{ id: expect.any(String), providerId: 'work', name: 'Work ID', email: 'ada@work.example' },
          connectedAt: expect.any(String),
        },
      ],
      providers: [
        { id: 'default', name: 'Test ID', path: '/api/login/oidc' },
        { id: 'work', name: 'Work ID', path: '/api/login/oidc/work' },
      ],
    });
    expect(await idOf(await logInAt(world, 'sub-w', { id: 'work' }))).toBe(ada.user.id);
    expect(await records()).toMatchObject([{ after: { name: 'Work ID', email: 'ada@work.example' } }]);
  });

  test('a login of another account is not taken from it', async () => {
    work.accounts.set('sub-w', verified('eve@example.com'));
    const eve = await idOf(await logInAt(world, 'sub-w', { id: 'work' }));
    const page = await connect(await setOutFrom(), 'sub-w');
    expect(page.status).toBe(409);
    expect(page.html).toMatch(/role="alert"[^>]*>This Work ID login belongs to another account here\./);
    expect((await identities()).map(({ userId }) => userId)).toEqual([eve]);
  });

  test('nobody is sent to connect a login by somebody else, nor in another session', async () => {
    work.accounts.set('sub-w', verified('eve@example.com'));
    const path = await setOutFrom();
    const bob = await world.as('Bob');
    for (const cookie of [bob.cookie, '']) {
      const { status } = await openPage(new URL(path, world.url), { cookie });
      expect(status).toBe(403);
    }
    const elsewhere = path.replace('/work', '');
    expect((await openPage(new URL(elsewhere, world.url), { cookie: ada.cookie })).status).toBe(403);
    const forged = await openPage(new URL('/api/login/oidc/work?connect=AAAA', world.url), {
      cookie: ada.cookie,
    });
    expect(forged.status).toBe(403);
    // The session ends while its browser is at the provider, and another one begins.
    const start = await openPage(new URL(path, world.url), { cookie: ada.cookie });
    const back = await visitProvider(start.headers.get('location') ?? '', 'sub-w');
    const page = await comeBack(world, back, `${start.cookie}; ${bob.cookie}`);
    expect([page.status, await identities()]).toEqual([403, []]);
  });

  test('it takes a recent proof, a session and a provider', async () => {
    expect(await begin('nobody')).toMatchObject({ status: 404 });
    const { token } = await ada.rpc.auth.createToken.mutate({ name: 'CI', scope: 'write' });
    const headers = { authorization: `Bearer ${token}` };
    const byToken = await world.anyone.rest('POST /api/auth/connections', { headers, body: {} });
    expect(byToken.status).toBe(403);
    await ageProofs(world, ada);
    expect(await begin()).toMatchObject({ status: 403, body: { code: 'PROOF_REQUIRED' } });
    const id = ada.user.id;
    const disconnect = await ada.rest(`DELETE /api/auth/connections/${id}`);
    expect(disconnect).toMatchObject({ status: 403, body: { code: 'PROOF_REQUIRED' } });
  });

  test('the last way in stays, also of two that go at once; somebody else’s is 404', async () => {
    const { db } = world.deps;
    const of = { userId: ada.user.id, email: null };
    const rows = await db
      .insertInto('identities')
      .values([
        { ...of, issuer: work.issuer, subject: 'a' },
        { ...of, issuer: first.issuer, subject: 'b' },
        { ...of, issuer: 'https://former.example.com', subject: 'c' },
      ])
      .returning('id')
      .execute();
    await db.updateTable('users').set({ passwordHash: null }).where('id', '=', ada.user.id).execute();
    const [one = '', two = '', former = ''] = rows.map(({ id }) => id);
    const remove = (id: string, person = ada) => person.rest(`DELETE /api/auth/connections/${id}`);
    expect((await remove(one, await world.as('Bob'))).status).toBe(404);
    const answers = await Promise.all([remove(one), remove(two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'LAST_WAY_IN' });
    expect((await remove(former)).status).toBe(200);
    expect((await identities()).length).toBe(1);
    const written = await db
      .selectFrom('auditLog')
      .select(['before', 'result'])
      .where('procedure', '=', 'auth.disconnect')
      .where('chain', '=', ada.user.id)
      .where('result', '=', 'done')
      .execute();
    expect(written).toContainEqual({ before: { name: 'former.example.com', email: null }, result: 'done' });
  });
});
