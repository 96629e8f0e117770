import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Engine, Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { createTlsServer, type TlsServer } from '../../src/http/tls-server.ts';
import { createPublicDns } from '../../src/platform/public-dns.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { createPebble, type Pebble } from './pebble.ts';

const HAS_TOOLS = requireTool('pebble') && requireTool('openssl') && requireTool('curl');
const ISSUED = { timeout: 60_000, interval: 100 };
const CONSOLE = 'console.ada.test';
const APPS = 'apps.ada.test';

const run = promisify(execFile);

let pebble: Pebble;
let world: World;
let tls: TlsServer;
let httpsPort: number;
/** Of the authority, in a file. */
let root: string;
/** The administrator, whose zone is ada.test. */
let ada: Person;
let site: Project;

beforeAll(async () => {
  if (!HAS_TOOLS) return;
  const dnsPort = await freePort();
  httpsPort = await freePort();
  pebble = await createPebble(dnsPort);
  world = await createWorld({
    running: true,
    overrides: { publicDns: createPublicDns([`127.0.0.1:${dnsPort}`]) },
    settings: {
      ...{ acme: pebble.settings, dnsPort, httpsPort, appsDomain: APPS },
      publicUrl: new URL(`https://${CONSOLE}:${httpsPort}`),
    },
  });
  await pebble.start(Number(new URL(world.url).port));
  root = join(world.deps.settings.dataDir, 'root.pem');
  await writeFile(root, await pebble.root());
  tls = createTlsServer({ ...world.deps, server: world.app.server });
  await tls.listen({ host: '127.0.0.1', port: httpsPort });
  ada = await world.as('Ada');
  site = await ada.rpc.projects.create.mutate({ name: 'Site', framework: 'nodejs' });
});
afterAll(async () => {
  if (!HAS_TOOLS) return;
  await tls.close();
  await world.close();
  await pebble.stop();
});

async function point(name: string, recordType: 'A' | 'CNAME', value: string): Promise<void> {
  const { id } = await ada.rpc.dns.create.mutate({ domain: 'ada.test', name, recordType, value, ttl: 60 });
  await vi.waitFor(async () => expect((await ada.rpc.dns.answer.query({ id })).served).toBe(true));
}

async function byHttp(host: string, path = '/') {
  const { hostname, port } = new URL(world.url);
  const [response] = await once(
    httpRequest({ hostname, port, path, headers: { host: `${host}:${port}` } }).end(),
    'response',
  );
  return {
    status: response.statusCode,
    location: response.headers.location,
    hsts: response.headers['strict-transport-security'],
    text: await text(response),
  };
}

async function byHttps(host: string, path: string, ...options: string[]): Promise<string> {
  const resolved = ['--resolve', `${host}:${httpsPort}:127.0.0.1`];
  const url = `https://${host}:${httpsPort}${path}`;
  const { stdout } = await run('curl', ['-sSi', '--cacert', root, ...resolved, ...options, url]);
  return stdout;
}

async function checked(): Promise<Engine | undefined> {
  return (await ada.rpc.admin.engines.query()).find(({ id }) => id === 'own-certificates');
}

const validUntil = (host: string) => world.deps.certificates.own.validUntil(host);

describe.skipIf(!HAS_TOOLS)('without a certificate', () => {
  it('the console and apps answer by HTTP, and administrators are told what is missing', async () => {
    const { port } = new URL(world.url);
    await world.deps.certificates.orders?.beginDue();
    await expect.poll(checked).toMatchObject({
      detail: expect.stringMatching(/DNS has to have apps\.ada\.test/),
      certificates: [{ name: CONSOLE, endsAt: null }],
    });
    expect(site.url).toBe(`http://${site.slug}.${APPS}:${port}`);
    expect((await byHttp(CONSOLE, '/healthz')).status).toBe(200);
    expect((await byHttp(`${site.slug}.${APPS}`)).status).toBe(404);
    await expect(byHttps(CONSOLE, '/healthz')).rejects.toThrow();
  });
});

describe.skipIf(!HAS_TOOLS)('with certificates', () => {
  beforeAll(async () => {
    await point('*.apps', 'A', '127.0.0.1');
    await point('console', 'A', '127.0.0.1');
    // So that the console is proven by HTTP, and apps by DNS.
    await point('_acme-challenge.console', 'CNAME', 'proofs.example.com');
    await world.deps.db.updateTable('certificateOrders').set({ dueAt: '2020-01-01' }).execute();
    await world.deps.certificates.orders?.beginDue();
    for (const host of [CONSOLE, `any.${APPS}`]) {
      await vi.waitFor(() => expect(validUntil(host)).toBeGreaterThan(Date.now()), ISSUED);
    }
  });

  it('keeps the keys sealed, and no more than it asked for', async () => {
    const kept = await world.deps.db.selectFrom('ownCertificates').selectAll().orderBy('name').execute();
    expect(kept.map(({ name }) => name)).toEqual([`*.${APPS}`, CONSOLE]);
    for (const { sealedKey } of kept) expect(String(sealedKey)).not.toContain('PRIVATE KEY');
    expect([validUntil(APPS), validUntil(`a.b.${APPS}`), validUntil('www.ada.test')]).toEqual([0, 0, 0]);
  });

  it('tells administrators how long they are valid', async () => {
    const endsAt = new Date(validUntil(CONSOLE)).toISOString();
    await expect.poll(checked).toMatchObject({
      state: 'healthy',
      detail: 'Renewed automatically.',
      certificates: [
        { name: CONSOLE, endsAt, error: '' },
        { name: `*.${APPS}`, endsAt: expect.any(String), error: '' },
      ],
    });
    await world.deps.db
      .updateTable('certificateOrders')
      .set({ error: 'No more today.' })
      .where('name', '=', CONSOLE)
      .execute();
    await expect.poll(checked).toMatchObject({
      state: 'unhealthy',
      detail: `No new certificate for ${CONSOLE}.`,
      certificates: [{ name: CONSOLE, endsAt, error: 'No more today.' }, { name: `*.${APPS}` }],
    });
    const ofConsole = world.deps.db.selectFrom('certificateOrders').where('name', '=', CONSOLE);
    const { dueAt } = await ofConsole.select('dueAt').executeTakeFirstOrThrow();
    await world.deps.certificates.orders?.retryOwn();
    const soon = await ofConsole.select('dueAt').executeTakeFirstOrThrow();
    expect(Date.parse(soon.dueAt)).toBeLessThan(Date.parse(dueAt));
    expect(Date.parse(soon.dueAt)).toBeLessThanOrEqual(Date.now());
    await world.deps.db
      .updateTable('certificateOrders')
      .set({ dueAt, error: '' })
      .where('name', '=', CONSOLE)
      .execute();
  });

  it('have administrators try again what failed, and nobody else', async () => {
    const ask = (who: Person, name: string) =>
      who.rest('POST /api/admin/certificates/issue', { body: { name } });
    const bob = await world.as('Bob');
    expect((await ask(bob, CONSOLE)).status).toBe(403);
    expect(await ask(ada, CONSOLE)).toMatchObject({ status: 409, body: { code: 'NOT_FAILED' } });
    expect((await ask(ada, 'other.ada.test')).status).toBe(404);
    const ofConsole = () => world.deps.db.updateTable('certificateOrders').where('name', '=', CONSOLE);
    await ofConsole().set({ error: 'Refused.', heldUntil: sql<string>`now() + interval '1 hour'` }).execute();
    const held = await ask(ada, CONSOLE);
    expect(held.status).toBe(429);
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(3500);
    const before = validUntil(CONSOLE);
    await ofConsole().set({ heldUntil: null }).execute();
    expect(await ada.rpc.admin.issueCertificate.mutate({ name: CONSOLE })).toMatchObject({
      name: CONSOLE,
      error: '',
    });
    await vi.waitFor(() => expect(validUntil(CONSOLE)).toBeGreaterThan(before), ISSUED);
    await expect.poll(checked).toMatchObject({ state: 'healthy' });
  });

  it('the console answers by HTTPS, to openssl as to curl, with HSTS', async () => {
    const by = ['-connect', `127.0.0.1:${httpsPort}`, '-servername', CONSOLE, '-CAfile', root];
    const handshake = run('openssl', ['s_client', ...by, '-alpn', 'h2', '-verify_hostname', CONSOLE]);
    handshake.child.stdin?.end();
    const { stdout } = await handshake;
    expect(stdout).toContain('ALPN protocol: h2');
    expect(stdout).toContain('Verify return code: 0 (ok)');
    const health = await byHttps(CONSOLE, '/healthz', '--http2');
    expect(health).toMatch(/^HTTP\/2 200/);
    expect(health).toMatch(/^strict-transport-security: max-age=31536000/m);
    const registry = await byHttps(CONSOLE, '/v2/', '--http1.1');
    expect(registry).toMatch(/^HTTP\/1\.1 401/);
    expect(registry).toContain(`realm="https://${CONSOLE}:${httpsPort}/v2/token"`);
  });

  it('the console sends HTTP there, but for who watches it at an address', async () => {
    const location = `https://${CONSOLE}:${httpsPort}/projects?a=b`;
    expect(await byHttp(CONSOLE, '/projects?a=b')).toMatchObject({ status: 308, location });
    expect(await byHttp('127.0.0.1', '/healthz')).toMatchObject({ status: 200, hsts: undefined });
  });

  it('apps answer by HTTPS below their domain, and say so', async () => {
    const { url, slug } = await ada.rpc.projects.get.query({ id: site.id });
    expect(url).toBe(`https://${slug}.${APPS}:${httpsPort}`);
    expect(await byHttps(`${slug}.${APPS}`, '/', '--http2')).toMatch(
      /^HTTP\/2 404[\s\S]*Nothing deployed yet/,
    );
    const location = `${url}/x`;
    expect(await byHttp(`${slug}.${APPS}`, '/x')).toMatchObject({ status: 308, location });
    expect(await byHttp(`a.${slug}.${APPS}`, '/x')).toMatchObject({ status: 404 });
  });

  it('nothing leads to HTTPS once they have ended', async () => {
    await world.deps.db.updateTable('ownCertificates').set({ endsAt: '2020-01-01' }).execute();
    await expect.poll(() => validUntil(CONSOLE)).toBeLessThan(Date.now());
    expect((await byHttp(CONSOLE, '/healthz')).status).toBe(200);
    expect((await ada.rpc.projects.get.query({ id: site.id })).url).toMatch(/^http:/);
  });
});
