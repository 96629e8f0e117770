import type { InstallationSettings } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitForm } from '../auth/auth-forms.ts';
import { callerOf, cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';

/** What one replica seals, the other opens. */
const settings = { secretsKey: 'a'.repeat(64) };
let world: World;
let replica: World;
let admin: Person;

beforeAll(async () => {
  world = await createWorld({ running: true, settings });
  replica = await createWorld({ databaseUrl: world.databaseUrl, running: true, settings });
  admin = await world.as('Admin');
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

const read = async () => (await admin.rest('GET /api/admin/settings')).body as InstallationSettings;
const change = (body: object, who: Pick<Person, 'rest'> = admin) =>
  who.rest('PATCH /api/admin/settings', { body });
const signUp = (url: string, email: string) =>
  fetch(new URL('/api/signup', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });

test('sign-ups and billing change on every replica while it runs, and after a start', async () => {
  expect(await read()).toMatchObject({ signups: 'open', billing: true, mail: null, fixed: [] });
  expect(await change({ signups: 'closed', billing: false })).toMatchObject({
    status: 200,
    body: { signups: 'closed', billing: false },
  });
  await expect.poll(() => replica.deps.settings.signups).toBe('closed');
  expect((await signUp(replica.url, 'late@example.com')).status).toBe(403);
  await expect.poll(read).toMatchObject({ signups: 'closed', billing: false });
  expect(await admin.rpc.billing.status.query()).toEqual({ enabled: false });

  const next = await createWorld({ databaseUrl: world.databaseUrl });
  expect((await signUp(next.url, 'late@example.com')).status).toBe(403);
  await next.close();
  const fixed = { signups: 'open', fixed: ['signups'] } as const;
  const bound = await createWorld({ databaseUrl: world.databaseUrl, settings: fixed });
  expect((await signUp(bound.url, 'early@example.com')).status).toBe(201);
  expect(bound.deps.settings.billing).toBe(false);
  await bound.close();

  await change({ signups: 'open', billing: true });
  await expect.poll(() => replica.deps.settings.signups).toBe('open');
});

test('mail is turned on and off, and its password is sealed', async () => {
  const smtpUrl = 'smtp://ada:s3cret-word@127.0.0.1:2525';
  const answer = await change({ mail: { smtpUrl, from: 'Cloud <cloud@example.com>' } });
  expect(answer).toMatchObject({
    status: 200,
    body: { mail: { host: '127.0.0.1:2525', from: 'Cloud <cloud@example.com>' } },
  });
  await expect.poll(() => replica.deps.mail.isOn).toBe(true);
  const { db } = world.deps;
  const stored = await db.selectFrom('installationSettings').selectAll().execute();
  expect(stored.map((row) => row.smtpUrl?.toString('latin1')).join()).not.toContain('s3cret-word');
  const records = await db.selectFrom('auditLog').selectAll().execute();
  expect(JSON.stringify([records, await read()])).not.toContain('s3cret-word');
  expect(records.at(-1)).toMatchObject({ procedure: 'admin.changeSettings', before: { mail: null } });

  const body = (await change({ mail: { smtpUrl: 'http://example.com' } })).body;
  expect(body).toMatchObject({ fields: [{ path: 'mail.smtpUrl' }] });
  expect((await change({ mail: { smtpUrl, from: 'nobody' } })).body).toMatchObject({
    fields: [{ path: 'mail.from' }],
  });
  const stranger = await createWorld({ databaseUrl: world.databaseUrl });
  expect(stranger.deps.mail.isOn).toBe(false);
  await stranger.close();

  expect((await change({ mail: null })).body).toMatchObject({ mail: null });
  await expect.poll(() => replica.deps.mail.isOn).toBe(false);
});

test('what the environment sets is changed there, and the rest by admins', async () => {
  world.deps.settings.fixed = ['billing'];
  expect(await change({ billing: false })).toMatchObject({
    status: 409,
    body: {
      code: 'SET_BY_ENVIRONMENT',
      message: "BILLING is set in the server's environment. Change it there, and restart.",
    },
  });
  world.deps.settings.fixed = [];
  const ada = await world.as('Ada');
  expect((await change({ signups: 'closed' }, ada)).status).toBe(403);
  expect((await change({ signups: 'closed' }, world.anyone)).status).toBe(401);
  expect((await ada.rest('GET /api/admin/settings')).status).toBe(403);
  expect((await change({ signups: 'perhaps' })).status).toBe(400);
});

test('an address is taken that answers as this server, and used from the next start on', async () => {
  const nowhere = await createWorld();
  const refused = await change({ publicUrl: nowhere.url });
  expect(refused).toMatchObject({ status: 400, body: { fields: [{ path: 'publicUrl' }] } });
  expect(JSON.stringify(refused.body)).toContain("doesn't answer as this server");
  await nowhere.close();
  expect((await change({ publicUrl: `${world.url}/console` })).status).toBe(400);
  const proof = (text: string) => world.anyone.rest(`GET /api/own-address?proof=${text}`);
  expect((await proof('AQ')).status).toBe(404);
  const { secrets } = world.deps;
  expect((await proof(secrets.seal('x', 'anything-else').toString('base64url'))).status).toBe(404);

  // As whom the other replica answers too.
  const before = await read();
  expect(await change({ publicUrl: `${replica.url}/` })).toMatchObject({
    status: 200,
    body: { publicUrl: before.publicUrl, nextPublicUrl: replica.url },
  });
  const records = await world.deps.db.selectFrom('auditLog').selectAll().orderBy('id').execute();
  expect(records.at(-1)).toMatchObject({
    before: { publicUrl: before.publicUrl },
    after: { publicUrl: replica.url },
  });

  const next = await createWorld({ databaseUrl: world.databaseUrl, settings });
  const { publicUrl, ownUrl } = next.deps.settings;
  expect(publicUrl.origin).toBe(replica.url);
  // Who comes to it by its own host and port can still put it right, and strangers' pages cannot.
  const logIn = (origin: string) =>
    next.anyone.rest('POST /api/login', {
      body: { email: 'admin@example.com', password: PASSWORD },
      headers: { origin },
    });
  expect((await logIn(ownUrl.origin)).status).toBe(200);
  expect((await logIn('http://evil.example.com')).status).toBe(403);
  await next.close();
  const set = { publicUrl: new URL('http://console.example.com'), fixed: ['publicUrl'] } as const;
  const bound = await createWorld({ databaseUrl: world.databaseUrl, settings: set });
  expect(bound.deps.settings.publicUrl.host).toBe('console.example.com');
  await bound.close();

  expect((await change({ publicUrl: null })).body).toMatchObject({ nextPublicUrl: null });
});

test('an address is proved by http where the certificate for it will be ours, and is none of an app', async () => {
  const built = { acme: { directory: '', email: '', caFile: undefined, binding: undefined }, httpsPort: 443 };
  const { settings: own } = world.deps;
  const { acme, httpsPort, port } = own;
  Object.assign(own, { port: Number(new URL(world.url).port) });
  expect((await change({ publicUrl: 'https://127.0.0.1' })).body).toMatchObject({
    message: expect.stringContaining(
      "https://127.0.0.1 doesn't answer as this server. Check its DNS record, port,",
    ),
  });
  Object.assign(own, built);
  expect((await change({ publicUrl: 'https://127.0.0.1' })).body).toMatchObject({
    nextPublicUrl: 'https://127.0.0.1',
  });
  expect((await change({ publicUrl: 'https://127.0.0.2' })).body).toMatchObject({
    message: expect.stringContaining('http://127.0.0.2 '),
  });
  Object.assign(own, { acme, httpsPort, port });
  const address = `http://console.${own.appsDomain}`;
  expect((await change({ publicUrl: address })).body).toMatchObject({
    message: expect.stringContaining(`Names below ${own.appsDomain} are those of apps`),
  });
  await change({ publicUrl: null });
});

test('an admin comes to the first steps until they are done, unless on the way elsewhere, and others do not', async () => {
  const first = await createWorld();
  const at = async (path: '/api/signup' | '/api/login', name: string, returnTo = '/') => {
    const typed = { email: `${name}@example.com`, password: PASSWORD, returnTo };
    const answer = await submitForm(new URL(path, first.url), typed);
    return { location: answer.headers.get('location'), cookie: cookieOf(answer.headers) };
  };
  const { location, cookie } = await at('/api/signup', 'grace');
  expect(location).toBe('/welcome');
  expect((await at('/api/signup', 'alan')).location).toBe('/');
  expect((await at('/api/login', 'grace')).location).toBe('/welcome');
  expect((await at('/api/login', 'grace', '/dns')).location).toBe('/dns');
  expect((await change({ setUp: true }, callerOf(first.url, cookie))).body).toMatchObject({ setUp: true });
  await expect.poll(async () => (await at('/api/login', 'grace')).location).toBe('/');
  await first.close();
});
