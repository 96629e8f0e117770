import { createHash, X509Certificate } from 'node:crypto';
import type { Project } from '@nephos/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { requireTool } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';
import { keepOwnCertificate } from '../../api/src/domains/certificates/own-certificates.ts';
import { createTlsServer, type TlsServer } from '../../api/src/http/tls-server.ts';
import { createTestAuthority, type TestAuthority } from '../../api/test/custom-domains/test-certificates.ts';
import { createWorld, PASSWORD, type Person, type World } from '../../api/test/world.ts';
import { launchBrowser } from './browser.ts';

const HAS_OPENSSL = requireTool('openssl');
const CONSOLE = 'console.example.test';
const SHOP = 'shop.example.test';
const PATIENCE = 60_000;

let authority: TestAuthority;
let world: World;
let tls: TlsServer;
let browser: Browser;
let httpsPort: number;
let ada: Person;
let site: Project;

const texts = new Map<string, string[]>();

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  authority = await createTestAuthority();
  httpsPort = await freePort();
  world = await createWorld({
    running: true,
    overrides: { publicDns: { txt: async (name) => texts.get(name) ?? [], addresses: async () => [] } },
    settings: {
      // The first person is an admin, whose first steps are not what this is about.
      isSetUp: true,
      httpsPort,
      publicUrl: new URL(`https://${CONSOLE}:${httpsPort}`),
      // Nobody answers there: what this test has is not renewed by the authority.
      acme: {
        directory: 'https://127.0.0.1:1/dir',
        email: 'admin@example.test',
        caFile: undefined,
        binding: undefined,
      },
    },
  });
  tls = createTlsServer({ ...world.deps, server: world.app.server });
  await tls.listen({ host: '127.0.0.1', port: httpsPort });
  const { db, certificates } = world.deps;
  await keepOwnCertificate(db, world.deps, CONSOLE, await authority.issue([CONSOLE]));
  await vi.waitFor(() => expect(certificates.own.validUntil(CONSOLE)).toBeGreaterThan(Date.now()));
  browser = await launchBrowser([
    '--host-resolver-rules=MAP *.example.test 127.0.0.1',
    `--ignore-certificate-errors-spki-list=${fingerprintOf(authority.certificate)}`,
  ]);
  ada = await world.as('Ada');
  site = await ada.rpc.projects.create.mutate({ name: 'Shop', template: 'static-site' });
  const domain = { id: site.id, domain: SHOP };
  const { verification } = await ada.rpc.customDomains.add.mutate(domain);
  texts.set(verification.name, [verification.value]);
  await ada.rpc.customDomains.check.mutate(domain);
  await ada.rpc.customDomains.setCertificate.mutate({ ...domain, ...(await authority.issue([SHOP])) });
  const isRunning = async () =>
    expect((await ada.rpc.projects.get.query({ id: site.id })).state).toBe('running');
  await vi.waitFor(isRunning, PATIENCE);
}, 120_000);
afterAll(async () => {
  if (!HAS_OPENSSL) return;
  await browser.close();
  await tls.close();
  await world.close();
  await authority.close();
});

/** How the browser is told whose certificates to trust: by the hash of the authority's key. */
function fingerprintOf(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

async function openBrowser(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

/** The protocol that a page, and each of the addresses with a part that it asked for since, came by. */
function protocols(page: Page, part: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const entries = performance.getEntries().filter((entry) => entry instanceof PerformanceResourceTiming);
    return entries.filter(({ name }) => name.includes(wanted)).map((entry) => entry.nextHopProtocol);
  }, part);
}

describe.skipIf(!HAS_OPENSSL)('a browser', () => {
  test('is sent to https, logs in, changes an app, follows that live, and stays with https', async () => {
    const origin = `https://${CONSOLE}:${httpsPort}`;
    const page = await openBrowser();
    const shown = await page.goto(`http://${CONSOLE}:${new URL(world.url).port}/api/login`);
    expect((await shown?.request().redirectedFrom()?.response())?.status()).toBe(308);
    expect(page.url()).toBe(`${origin}/api/login`);
    expect(await shown?.securityDetails()).toMatchObject({ subjectName: CONSOLE, protocol: 'TLS 1.3' });
    await page.getByLabel('Email').fill(ada.user.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deployments' }).waitFor();
    const [session] = await page.context().cookies();
    expect(session).toMatchObject({ name: expect.stringMatching(/^__Host-/), secure: true, httpOnly: true });

    await page.goto(`${origin}/projects/${site.id}`);
    await page.getByRole('button', { name: 'Restart' }).click();
    const newest = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem').first();
    await newest.getByText('Restart', { exact: true }).waitFor();
    // Nothing polls: that it is live is told by the stream.
    await newest.getByText('Live', { exact: true }).waitFor();
    expect(new Set(await protocols(page, '/trpc/'))).toEqual(new Set(['h2']));
    expect(await protocols(page, `/projects/${site.id}`)).toContain('h2');

    // A browser that heeds HSTS asks for this by https, which alone is answered at that port.
    const later = await page.context().newPage();
    await later.goto(`http://${CONSOLE}:${httpsPort}/healthz`);
    expect(later.url()).toBe(`${origin}/healthz`);
  });

  test("is shown an own domain's app, with that domain's certificate", async () => {
    const page = await openBrowser();
    const shown = await page.goto(`http://${SHOP}:${new URL(world.url).port}/`);
    expect((await shown?.request().redirectedFrom()?.response())?.status()).toBe(308);
    expect(page.url()).toBe(`https://${SHOP}:${httpsPort}/`);
    expect(await shown?.securityDetails()).toMatchObject({ subjectName: SHOP });
    await page.getByRole('heading', { name: 'My site' }).waitFor();
    expect(await protocols(page, SHOP)).toContain('h2');
  });
});
