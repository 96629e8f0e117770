import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Project } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { createTlsServer, type TlsServer } from '../../src/http/tls-server.ts';
import type { PublicDns } from '../../src/platform/public-dns.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { createTestAuthority, type TestAuthority } from './test-certificates.ts';

const SHOP = 'shop.example.test';
const SECRETS_KEY = 'ab'.repeat(32);

const HAS_OPENSSL = requireTool('openssl');

let authority: TestAuthority;
let httpsPort: number;
let world: World;
let tls: TlsServer;
let ada: Person;
let bob: Person;
let site: Project;

const texts = new Map<string, string[]>();
const publicDns: PublicDns = {
  txt: async (name) => texts.get(name) ?? [],
  addresses: async () => [],
};
const opened: { destroy(): unknown }[] = [];

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  authority = await createTestAuthority();
  httpsPort = await freePort();
  const settings = { httpsPort, secretsKey: SECRETS_KEY };
  world = await createWorld({ running: true, overrides: { publicDns }, settings });
  tls = createTlsServer({ ...world.deps, server: world.app.server });
  await tls.listen({ host: '127.0.0.1', port: httpsPort });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  site = await ada.rpc.projects.create.mutate({ name: 'Site', template: 'static-site' });
  const { id } = site;
  const { verification } = await ada.rpc.customDomains.add.mutate({ id, domain: SHOP });
  texts.set(verification.name, [verification.value]);
  await ada.rpc.customDomains.check.mutate({ id, domain: SHOP });
  const isRunning = async () => expect((await ada.rpc.projects.get.query({ id })).state).toBe('running');
  await vi.waitFor(isRunning, 30_000);
});
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.destroy();
  await world.deps.db.deleteFrom('domainCertificates').execute();
  await vi.waitFor(() => expect(world.deps.certificateFor(SHOP)).toBeUndefined());
});
afterAll(async () => {
  if (!HAS_OPENSSL) return;
  await tls.close();
  await world.close();
  await authority.close();
});

const PATH = () => `/api/projects/${site.id}/domains/${SHOP}`;

function give(person: Person, body: unknown) {
  return person.rest(`PUT ${PATH()}/certificate`, { body });
}

/** Gives the shop a certificate, and waits until it is served. */
async function certify(names = [SHOP]) {
  const issued = await authority.issue(names);
  const answer = await give(ada, issued);
  expect(answer.status, answer.text).toBe(200);
  await expect.poll(() => world.deps.certificateFor(SHOP)).toBeDefined();
  return { ...issued, answer };
}

/** A handshake, for the shop by HTTP/2 unless it is said otherwise. */
async function shake(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const by = { ALPNProtocols: ['h2', 'http/1.1'], servername: SHOP, ca: authority.certificate };
  const socket = connect({ host: '127.0.0.1', port: httpsPort, ...by, ...options });
  opened.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

async function http2(): Promise<ClientHttp2Session> {
  const socket = await shake();
  const session = connectHttp2(`https://${SHOP}:${httpsPort}`, { createConnection: () => socket });
  session.on('error', () => {});
  return session;
}

interface Asked {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

async function askHttp2(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer | string,
): Promise<Asked> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [answered] = await once(stream, 'response');
  return { status: answered[':status'], headers: answered, text: await text(stream) };
}

async function askHttp1(socket: TLSSocket | undefined, path = '/'): Promise<Asked> {
  const { hostname, port } = new URL(world.url);
  const headers = { connection: 'close', host: socket ? `${SHOP}:${httpsPort}` : `${SHOP}:${port}` };
  const through = socket ? { createConnection: () => socket } : { hostname, port };
  const request = httpRequest({ ...through, path, headers }).end();
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

describe.skipIf(!HAS_OPENSSL)('a certificate of one’s own', () => {
  it('is kept sealed and shown without its key', async () => {
    const { answer, privateKey } = await certify();
    const certificate = { issuer: 'Test Authority', isExpired: false, httpsOnly: true };
    expect(answer.body).toMatchObject({ certificate, url: `https://${SHOP}:${httpsPort}` });
    const list = await ada.rest(`GET /api/projects/${site.id}/domains`);
    expect(list.body).toMatchObject({ servesHttps: true, domains: [{ certificate }] });
    const secret = privateKey.split('\n')[1] ?? '?';
    const stored = await world.deps.db.selectFrom('domainCertificates').selectAll().executeTakeFirstOrThrow();
    for (const shown of [answer.text, list.text, stored.chain, String(stored.sealedKey)]) {
      expect(shown).not.toContain(secret);
    }
  });

  it('is checked, and refused at its field', async () => {
    const { certificate, privateKey } = await authority.issue(['other.example.test']);
    expect(await give(ada, { certificate, privateKey })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'certificate', message: expect.stringContaining(`isn't for ${SHOP}`) }] },
    });
    expect(await give(ada, { certificate: 'x', privateKey })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'certificate', message: expect.stringContaining('PEM') }] },
    });
    expect(world.deps.certificateFor(SHOP)).toBeUndefined();
  });

  it('is nobody else’s to give, change or remove', async () => {
    const issued = await authority.issue([SHOP]);
    expect((await give(bob, issued)).status).toBe(404);
    await certify();
    const change = { body: { httpsOnly: false } };
    expect((await bob.rest(`PATCH ${PATH()}/certificate`, change)).status).toBe(404);
    expect((await bob.rest(`DELETE ${PATH()}/certificate`)).status).toBe(404);
    expect(world.deps.certificateFor(SHOP)).toBeDefined();
  });

  it('is replaced by the next one, and gone once it is removed', async () => {
    await certify();
    expect((await shake()).getPeerCertificate().subjectaltname).toBe(`DNS:${SHOP}`);
    await certify([SHOP, 'more.example.test']);
    await expect
      .poll(async () => (await shake()).getPeerCertificate().subjectaltname)
      .toContain('more.example.test');
    expect((await ada.rest(`DELETE ${PATH()}/certificate`)).status).toBe(200);
    await expect.poll(() => world.deps.certificateFor(SHOP)).toBeUndefined();
    await expect(shake()).rejects.toThrow();
    expect((await ada.rest(`DELETE ${PATH()}/certificate`)).status).toBe(404);
    expect((await ada.rest(`PATCH ${PATH()}/certificate`, { body: { httpsOnly: true } })).status).toBe(404);
  });
});

it.skipIf(!HAS_OPENSSL)('a site of a bucket answers by https with a certificate of its owner’s', async () => {
  const host = 'pages.example.test';
  const { id } = await ada.rpc.buckets.create.mutate({ name: 'pages', isPublic: true });
  await ada.rpc.bucketSites.set.mutate({ id });
  const { verification } = await ada.rpc.bucketSites.addDomain.mutate({ id, domain: host });
  texts.set(verification.name, [verification.value]);
  await ada.rpc.bucketSites.checkDomain.mutate({ id, domain: host });
  const issued = await authority.issue([host]);
  const route = `/api/buckets/${id}/domains/${host}/certificate`;
  expect(await bob.rest(`PUT ${route}`, { body: issued })).toMatchObject({ status: 404 });
  expect(await ada.rest(`PUT ${route}`, { body: { ...issued, privateKey: 'x' } })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'privateKey' }] },
  });
  const given = await ada.rest(`PUT ${route}`, { body: issued });
  expect(given).toMatchObject({ status: 200, body: { url: `https://${host}:${httpsPort}` } });
  await expect.poll(() => world.deps.certificateFor(host)).toBeDefined();
  const socket = await shake({ servername: host });
  expect(socket.getPeerCertificate().subjectaltname).toBe(`DNS:${host}`);
  const open = await ada.rpc.bucketSites.updateCertificate.mutate({ id, domain: host, httpsOnly: false });
  expect(open.certificate).toMatchObject({ httpsOnly: false });
  expect(await ada.rest(`DELETE ${route}`)).toMatchObject({ status: 200 });
  await expect.poll(() => world.deps.certificateFor(host)).toBeUndefined();
});

describe.skipIf(!HAS_OPENSSL)('TLS', () => {
  it.each([
    ['TLSv1.2', 'h2'],
    ['TLSv1.3', 'http/1.1'],
  ] as const)('%s with %s', async (version, protocol) => {
    await certify();
    const socket = await shake({
      minVersion: version,
      maxVersion: version,
      ALPNProtocols: [protocol],
    });
    expect([socket.getProtocol(), socket.alpnProtocol, socket.authorized]).toEqual([version, protocol, true]);
  });

  it('refuses what is older, other names, and no name', async () => {
    await certify();
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(shake(old)).rejects.toThrow();
    for (const servername of [`www.${SHOP}`, 'console.test', '']) {
      await expect(shake({ servername }), servername).rejects.toThrow();
    }
    expect((await askHttp1(await shake({ ALPNProtocols: ['http/1.1'] }))).status).toBe(200);
  });

  it('resumes with another replica, which has the certificate', async () => {
    await certify();
    const replica = await createWorld({
      databaseUrl: world.databaseUrl,
      running: true,
      settings: { httpsPort, secretsKey: SECRETS_KEY },
    });
    const other = createTlsServer({ ...replica.deps, server: replica.app.server });
    try {
      const port = await other.listen({ host: '127.0.0.1', port: 0 });
      const only = { maxVersion: 'TLSv1.2' } as const;
      const session = (await shake(only)).getSession();
      const resumed = await shake({ ...only, port, ...(session && { session }) });
      expect(resumed.resume().isSessionReused()).toBe(true);
      await ada.rest(`DELETE ${PATH()}/certificate`);
      await expect.poll(() => replica.deps.certificateFor(SHOP)).toBeUndefined();
    } finally {
      await other.close();
      await replica.close();
    }
  });

  it('ends its connections when the server ends', async () => {
    await certify();
    const own = createTlsServer({ ...world.deps, server: world.app.server });
    const port = await own.listen({ host: '127.0.0.1', port: 0 });
    const sockets = [await shake({ port }), await shake({ port, ALPNProtocols: ['http/1.1'] })];
    const ends = sockets.map((socket) => once(socket.resume(), 'close'));
    await own.close();
    await Promise.all(ends);
    await expect(shake({ port })).rejects.toThrow('ECONNREFUSED');
  });
});

describe.skipIf(!HAS_OPENSSL)('an app with a certificate', () => {
  it('answers by HTTP/2 and HTTP/1.1', async () => {
    await certify();
    const session = await http2();
    const [home, missing] = await Promise.all([
      askHttp2(session, { ':path': '/' }),
      askHttp2(session, { ':path': '/api/openapi.json' }),
    ]);
    expect(home).toMatchObject({ status: 200, text: expect.stringContaining('<h1>My site</h1>') });
    expect(missing.status).toBe(404);
    const socket = await shake({ ALPNProtocols: ['http/1.1'] });
    expect(await askHttp1(socket)).toMatchObject({ status: 200, text: home.text });
  });

  it('redirects http to https, unless it is told not to', async () => {
    expect((await askHttp1(undefined)).status).toBe(200);
    await certify();
    expect(await askHttp1(undefined, '/a?b=c')).toMatchObject({
      status: 308,
      headers: { location: `https://${SHOP}:${httpsPort}/a?b=c` },
    });
    const { body } = await ada.rest(`PATCH ${PATH()}/certificate`, { body: { httpsOnly: false } });
    expect(body).toMatchObject({ certificate: { httpsOnly: false } });
    await expect.poll(async () => (await askHttp1(undefined)).status).toBe(200);
  });

  it('no longer redirects to a certificate that has ended', async () => {
    await certify();
    await world.deps.db.updateTable('domainCertificates').set({ endsAt: '2020-01-01' }).execute();
    await expect.poll(async () => (await askHttp1(undefined)).status).toBe(200);
    const [domain] = (await ada.rpc.customDomains.list.query({ id: site.id })).domains;
    expect(domain).toMatchObject({ certificate: { isExpired: true }, url: expect.stringMatching(/^http:/) });
  });
});

describe.skipIf(!HAS_OPENSSL)('the console by HTTP/2', () => {
  const authorityOf = () => new URL(world.url).host;

  it('refuses a body that is too long, and requests that are none, and goes on', async () => {
    await certify();
    const session = await http2();
    const to = {
      ':authority': authorityOf(),
      cookie: ada.cookie,
      ':method': 'POST',
      ':path': '/api/projects',
    };
    const large = Buffer.alloc(3 * 1024 * 1024, ' ');
    const json = { 'content-type': 'application/json' };
    expect(await askHttp2(session, { ...to, ...json }, large)).toMatchObject({ status: 413 });
    expect(await askHttp2(session, { ':authority': 'console:x', ':path': '/' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('malformed'),
    });
    expect(await askHttp2(session, { ':path': '/' })).toMatchObject({ status: 200 });
  });
});
