import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { User } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fetchPicture } from '../../src/domains/auth/fetch-picture.ts';
import { createWorld, type Person, signUp, type World } from '../world.ts';
import { openPage } from './auth-forms.ts';
import { CLIENT, type OidcServer, startOidcServer, visitProvider } from './oidc-server.ts';

const CONSOLE = 'http://console.example';
const CALLBACK = '/api/login/oidc/callback';
const NOWHERE = '0197a000-0000-7000-8000-000000000001';
const MIB = 1024 * 1024;

const PNG = Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1');
const OTHER_PNG = Buffer.from('\x89PNG\r\n\x1a\n another picture', 'latin1');

let server: OidcServer;
let world: World;
let admin: Person;

beforeAll(async () => {
  // The provider says at length that it is set up for a test.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
  server = await startOidcServer(`${CONSOLE}${CALLBACK}`);
  const settings = { publicUrl: new URL(CONSOLE), oidc: [{ ...CLIENT, issuer: server.issuer }] };
  world = await createWorld({ settings, running: true });
  admin = await world.as('Admin');
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
  await server.close();
});
beforeEach(async () => {
  server.pages.clear();
  await world.deps.db.deleteFrom('users').where('id', '<>', admin.user.id).execute();
});

/** The provider answers these bytes at `/picture`, whatever it says that they are. */
function shows(bytes: Buffer, type = 'text/html') {
  server.pages.set('/picture', (_request, response) => {
    response.setHeader('content-type', type).end(bytes);
  });
}

const read = (path: string | null, cookie: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path ?? '/nowhere', world.url), { headers: { cookie, ...headers } });

/** Logs Ada in, whose picture is at this address. */
async function logIn(picture: string | undefined): Promise<{ user: User; cookie: string }> {
  const claims = { email: 'ada@example.com', email_verified: true };
  server.accounts.set('ada', { ...claims, ...(picture !== undefined && { picture }) });
  const start = await openPage(new URL('/api/login/oidc', world.url));
  const back = await visitProvider(start.headers.get('location') ?? '', 'ada');
  const page = await openPage(new URL(back.pathname + back.search, world.url), { cookie: start.cookie });
  expect(page.status).toBe(303);
  const { body } = await world.anyone.rest('GET /api/auth/user', { headers: { cookie: page.cookie } });
  return { user: body as User, cookie: page.cookie };
}

test('the picture comes to the console, which shows it as what it is', async () => {
  shows(PNG);
  const { user, cookie } = await logIn(`${server.issuer}/picture`);
  expect(user.profileImageUrl).toMatch(/^\/api\/auth\/pictures\/[0-9a-f-]{36}$/);
  const answer = await read(user.profileImageUrl, cookie);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-cache',
  });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
  const etag = answer.headers.get('etag') ?? '';
  expect((await read(user.profileImageUrl, cookie, { 'if-none-match': etag })).status).toBe(304);
});

test('it is its owner’s and the admins’, and nobody else’s', async () => {
  shows(PNG);
  const { user } = await logIn(`${server.issuer}/picture`);
  const path = user.profileImageUrl ?? '';
  const bob = await signUp(world.url, 'Bob');
  expect((await read(path, admin.cookie)).status).toBe(200);
  const [foreign, absent] = await Promise.all([
    bob.rest(`GET ${path}`),
    bob.rest(`GET /api/auth/pictures/${NOWHERE}`),
  ]);
  const bodyOf = (text: string) => text.replace(/"requestId":"[^"]+"/, '');
  expect([foreign.status, absent.status]).toEqual([404, 404]);
  expect(bodyOf(foreign.text)).toBe(bodyOf(absent.text));
  expect((await bob.rest('GET /api/auth/pictures/none')).status).toBe(404);
  expect((await world.anyone.rest(`GET ${path}`)).status).toBe(401);
});

test('each log-in brings the one of now: the same keeps its address, none is none', async () => {
  shows(PNG);
  const first = (await logIn(`${server.issuer}/picture`)).user.profileImageUrl;
  expect((await logIn(`${server.issuer}/picture`)).user.profileImageUrl).toBe(first);
  shows(OTHER_PNG);
  const other = await logIn(`${server.issuer}/picture`);
  expect(other.user.profileImageUrl).not.toBe(first);
  expect((await read(first, other.cookie)).status).toBe(404);
  server.pages.clear();
  const kept = await logIn(`${server.issuer}/picture`);
  expect(kept.user.profileImageUrl, 'a provider that fails takes none away').toBe(other.user.profileImageUrl);
  expect((await logIn(undefined)).user.profileImageUrl).toBeNull();
  expect(await world.deps.db.selectFrom('profilePictures').selectAll().execute()).toEqual([]);
});

test('it goes with its owner', async () => {
  shows(PNG);
  const { user } = await logIn(`${server.issuer}/picture`);
  await world.deps.db.deleteFrom('users').where('id', '=', user.id).execute();
  expect(await world.deps.db.selectFrom('profilePictures').selectAll().execute()).toEqual([]);
  expect((await read(user.profileImageUrl, admin.cookie)).status).toBe(404);
});

test.each([
  ['image/png', PNG],
  ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0 JFIF', 'latin1')],
  ['image/gif', Buffer.from('GIF89a and more')],
  ['image/webp', Buffer.from('RIFF\0\0\n\0WEBPVP8 ', 'latin1')],
  ['image/png', Buffer.concat([PNG, Buffer.alloc(MIB - PNG.length)])],
])('%s is told by its bytes', async (mediaType, bytes) => {
  shows(bytes, 'image/svg+xml');
  const { user, cookie } = await logIn(`${server.issuer}/picture`);
  const answer = await read(user.profileImageUrl, cookie);
  expect(answer.headers.get('content-type')).toBe(mediaType);
  expect((await answer.arrayBuffer()).byteLength).toBe(bytes.length);
});

test.each([
  ['a page', () => shows(Buffer.from('<script>alert(1)</script>'), 'image/png')],
  ['an SVG', () => shows(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
  ['a byte more than 1 MiB', () => shows(Buffer.concat([PNG, Buffer.alloc(MIB - PNG.length + 1)]))],
  ['nothing', () => shows(Buffer.alloc(0))],
  ['an error', () => server.pages.set('/picture', (_request, response) => response.writeHead(500).end(PNG))],
  [
    'a circle',
    () =>
      server.pages.set('/picture', (_request, response) =>
        response.writeHead(302, { location: '/picture' }).end(),
      ),
  ],
  ['a connection that breaks', () => server.pages.set('/picture', (request) => request.socket.destroy())],
])('%s in the place of a picture keeps nobody out', async (_what, prepare) => {
  prepare();
  expect((await logIn(`${server.issuer}/picture`)).user.profileImageUrl).toBeNull();
});

test('a slow picture does not hold up a log-in, and is there when it is there', async () => {
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<() => void>();
  server.pages.set('/picture', (_request, response) => noteAsked(() => response.end(PNG)));
  const { user, cookie } = await logIn(`${server.issuer}/picture`);
  expect(user.profileImageUrl).toBeNull();
  (await asked)();
  const pictureNow = async () => {
    const { body } = await world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
    return (body as User).profileImageUrl;
  };
  await expect.poll(pictureNow).toMatch(/^\/api\/auth\/pictures\//);
});

test('it may lie one step further at the provider, and nowhere within this machine or its network', async () => {
  let asked = 0;
  const inside = createServer((_request, response) => {
    asked++;
    response.end(PNG);
  });
  await new Promise<void>((done) => inside.listen(0, '127.0.0.1', done));
  onTestFinished(() => void inside.close());
  const { port } = inside.address() as AddressInfo;

  shows(PNG);
  const leadTo = (location: string) =>
    server.pages.set('/first', (_request, response) => response.writeHead(302, { location }).end());
  leadTo('/picture');
  const { user } = await logIn(`${server.issuer}/first`);
  expect(user.profileImageUrl).not.toBeNull();
  await logIn(undefined);
  for (const address of [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `https://[::1]:${port}/`,
  ]) {
    expect((await logIn(address)).user.profileImageUrl, address).toBeNull();
    leadTo(address);
    expect((await logIn(`${server.issuer}/first`)).user.profileImageUrl, address).toBeNull();
  }
  expect(asked).toBe(0);
});

test('a look-up that hangs is given up with the rest', async () => {
  const giveUp = new AbortController();
  const resolve = () => {
    giveUp.abort(new Error('enough'));
    return new Promise<string[]>(() => {});
  };
  const options = { trustedOrigin: 'https://id.example', signal: giveUp.signal, resolve };
  await expect(fetchPicture('https://pictures.example/a.png', options)).rejects.toThrow('enough');
});

test.each([
  ['http://pictures.example/a.png', 'its address is not public https'],
  ['https://pictures.example:8443/a.png', 'its address is not public https'],
  ['ftp://pictures.example/a.png', 'its address is not public https'],
  ['https://127.0.0.1/a.png', '127.0.0.1 is not an address of the public internet'],
  ['https://169.254.169.254/a.png', '169.254.169.254 is not an address of the public internet'],
  ['https://[::ffff:10.0.0.1]/a.png', 'is not an address of the public internet'],
  ['https://pictures.example/a.png', 'pictures.example is not an address of the public internet'],
  [`https://pictures.example/${'a'.repeat(2048)}`, 'its address is too long'],
  ['no address', 'Invalid URL'],
])('%s is not asked', async (address, reason) => {
  const options = { trustedOrigin: 'https://id.example', signal: AbortSignal.timeout(5000) };
  // One public address among private ones is as bad as none.
  const resolve = async () => ['93.184.215.14', '10.0.0.1'];
  await expect(fetchPicture(address, { ...options, resolve })).rejects.toThrow(reason);
});
