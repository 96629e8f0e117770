import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

const SERVICES = [
  'Deployments',
  'Container Registry',
  'Databases',
  'Storage',
  'DNS',
  'Mobile Apps',
  'Payment Gateway',
  'Marketplace',
  'Billing',
];

let stage: Stage;
let admin: Person;
let member: Person;

beforeAll(async () => {
  stage = await createStage();
  admin = await stage.world.as('Ada');
  member = await stage.world.as('Grace');
});

afterAll(() => stage.close());

test('the sidebar leads to every page, and no entry is dead', async () => {
  const page = await stage.open('/', { as: admin });
  const services = page.getByRole('region', { name: 'Services' }).getByRole('link');
  await services.first().waitFor();
  expect(await services.allTextContents()).toEqual(SERVICES);
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  for (const text of ['Ada Tester', 'ada@example.com', 'AT']) {
    // The workspace is called as its person is.
    await sidebar.getByText(text, { exact: true }).last().waitFor();
  }
  for (const name of SERVICES) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await page.getByText('404 Page Not Found').count(), name).toBe(0);
    const link = sidebar.getByRole('link', { name, exact: true });
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
  }
  await page.getByRole('link', { name: 'Admin Dashboard' }).click();
  await page.waitForURL('**/admin');
  await page.goto(`${stage.origin}/projects-of-nobody`);
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
  await sidebar.waitFor();
});

test('a page that was open through an upgrade goes on with the new version, or says that there is one', async () => {
  const page = await stage.open('/', { as: admin });
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  await page.route('**/assets/dns-*.js', (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.getByRole('link', { name: 'DNS', exact: true }).click();
  // Nothing is new: a page loaded anew would be no better.
  await page.getByText("Part of this page couldn't be loaded").waitFor();
  await page.route(`${stage.origin}/`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/main-[^"]+\.js/, 'main-new.js');
    await route.fulfill({ response, body });
  });
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Storage', exact: true }).click();
  await page.getByRole('heading', { name: 'Cloud Storage' }).waitFor();
  await page.getByRole('link', { name: 'DNS', exact: true }).click();
  await loaded;
  // It came back as it was, for example from another replica.
  await page.getByText('A new version of Nephos is available').waitFor();
  await picture(page, 'shell-new-version');
  await expectSound(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'DNS Management' }).waitFor();
});

test('what is lost on the way is asked for again: reads, a part of the console, and a write, which is done once', async () => {
  const page = await stage.open('/', { as: admin });
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  const lost = new Set<string>();
  await page.route(/\/trpc\/|\/assets\/dns-.*js$/, (route) => {
    const { pathname } = new URL(route.request().url());
    if (lost.has(pathname)) return route.continue();
    lost.add(pathname);
    // A write is lost with its answer: the server has done it.
    return pathname.startsWith('/trpc/projects.create')
      ? route.fetch().then(() => route.abort('connectionreset'))
      : route.abort('internetdisconnected');
  });
  await page.getByRole('link', { name: 'DNS', exact: true }).click();
  await page.getByRole('heading', { name: 'DNS', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Deployments', exact: true }).click();
  await page.getByRole('button', { name: 'New Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Made once');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Project created successfully').first().waitFor();
  expect([...lost].join(' ')).toMatch(/assets\/dns-.*trpc\/projects\.create/s);
  const projects = await admin.rpc.projects.list.query();
  expect(projects.filter(({ name }) => name === 'Made once')).toHaveLength(1);
});

test('a page whose script is gone offers to be loaded anew', async () => {
  const page = await stage.open('/', { as: admin });
  await page.route('**/assets/main-*.js', (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.goto(`${stage.origin}/dns`);
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('heading', { name: 'DNS Management' }).waitFor();
});

test('a member sees no administration, and is sent away from it', async () => {
  const page = await stage.open('/', { as: member });
  await page.getByRole('link', { name: 'Deployments', exact: true }).first().waitFor();
  expect(await page.getByText('Administration').count()).toBe(0);
  for (const viewport of [WIDE, NARROW]) {
    const theirs = await stage.open('/admin', {
      as: member,
      viewport,
      theme: viewport === WIDE ? 'dark' : 'light',
    });
    await theirs.getByText('You do not have permission to access this page.').first().waitFor();
    await theirs.getByRole('heading', { level: 1, name: 'Admins only' }).waitFor();
    await picture(theirs, `shell-admins-only-${viewport.width}`);
    await theirs.waitForURL(`${stage.origin}/`);
  }
});

/** A line like that of a phone in a train. */
async function slowDown(page: Page) {
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = 50_000;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** Notes in the browser for how many milliseconds the words stood on the screen when it left, or null: never. */
async function timeWords(page: Page) {
  await page.addInitScript(() => {
    let seenAt: number | undefined;
    const look = () => {
      if (document.body?.textContent.includes('You are logged out. Logging in again...'))
        seenAt ??= performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    window.addEventListener('beforeunload', () => {
      const seenFor = seenAt === undefined ? null : performance.now() - seenAt;
      if (!location.pathname.startsWith('/api/')) sessionStorage.setItem('seen-for', JSON.stringify(seenFor));
    });
  });
}

async function expectWordsWereSeen(page: Page) {
  await page.waitForURL('**/api/login?**');
  const seenFor = await page.evaluate(() => JSON.parse(sessionStorage.getItem('seen-for') ?? 'null'));
  // The browser's clock and the frames are its own: a tenth is theirs.
  expect(seenFor).toBeGreaterThan(450);
}

test('on a slow line, whoever is signed out reads so before the browser leaves', async () => {
  const page = await stage.open('/healthz', { context: {} });
  await slowDown(page);
  await timeWords(page);
  // A busy machine may not look in the half second before the browser leaves: the way out is shut until it did.
  const seen = Promise.withResolvers<void>();
  await page.route('**/api/login?*', (route) => seen.promise.then(() => route.continue()));
  await page.goto(`${stage.origin}/billing`, { waitUntil: 'commit' });
  await page.getByText('You are logged out. Logging in again...').first().waitFor();
  await picture(page, 'shell-signed-out-slow');
  seen.resolve();
  await expectWordsWereSeen(page);
});

test('a session that ends while a page is open is told of, too', async () => {
  const leaver = await stage.world.as('Latecomer');
  const page = await stage.open('/deployments', { as: leaver, context: {} });
  await timeWords(page);
  await page.reload();
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  await slowDown(page);
  await leaver.rest('GET /api/logout');
  await page.getByRole('link', { name: 'Storage', exact: true }).click();
  await expectWordsWereSeen(page);
});

test('what was made through the API is there when one comes to its page', async () => {
  const maker = await stage.world.as('Maker');
  const page = await stage.open('/deployments', { as: maker });
  await page.getByText('No projects yet').waitFor();
  await page.getByRole('link', { name: 'DNS', exact: true }).click();
  await page.getByText('No DNS records yet').waitFor();
  await maker.rest('POST /api/projects', { body: { name: 'by-rest' } });
  await page.getByRole('link', { name: 'Deployments', exact: true }).click();
  await page.getByText('by-rest').first().waitFor();
  const record = { domain: 'made-by-rest.test', recordType: 'A', name: '@', value: '192.0.2.1', ttl: 3600 };
  await maker.rest('POST /api/dns', { body: record });
  await page.getByRole('link', { name: 'DNS', exact: true }).click();
  await page.getByText('made-by-rest.test').first().waitFor();
});

const READY_AGAIN = /until (you're back online|it's back)\./;

test('while the server is away a banner says so and a write says why, and both end with it', async () => {
  for (const [viewport, theme] of [
    [WIDE, 'dark'],
    [NARROW, 'light'],
  ] as const) {
    const page = await stage.open('/deployments', { as: admin, viewport, theme });
    await page.getByRole('heading', { name: 'Deployments' }).waitFor();
    const away = (url: URL) => url.pathname.startsWith('/trpc') || url.pathname === '/readyz';
    await page.route(away, (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'New Project' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('in-vain');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Failed to create project', { exact: true }).first().waitFor();
    await dialog.getByText("Can't reach the server, so this may not have gone through.").waitFor();
    await picture(page, `shell-away-write-${viewport.width}-${theme}`);
    await page.keyboard.press('Escape');
    const banner = page.getByText("Can't reach the server. Changes can't be saved until it's back.");
    await banner.waitFor();
    await picture(page, `shell-away-${viewport.width}-${theme}`);
    await expectSound(page);
    await page.unrouteAll();
    await expect.poll(() => banner.count()).toBe(0);
    await page.context().setOffline(true);
    await page.getByText(READY_AGAIN).waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText(READY_AGAIN).count()).toBe(0);
  }
});

test('/ says that the server is away to whoever was signed in, and goes on when it is back', async () => {
  for (const [viewport, theme] of [
    [WIDE, 'dark'],
    [NARROW, 'light'],
  ] as const) {
    const page = await stage.open('/', { as: admin, viewport, theme });
    await page.getByRole('heading', { name: 'Deployments' }).waitFor();
    await page.route('**/api/auth/user', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByRole('heading', { name: 'Service temporarily unavailable' }).waitFor();
    await picture(page, `shell-unavailable-${viewport.width}-${theme}`);
    await expectSound(page);
    await page.unrouteAll();
    await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  }
});

test('Ctrl+B folds the sidebar, and it stays folded', async () => {
  const page = await stage.open('/', { as: admin });
  const sidebar = page.getByRole('navigation').first();
  const width = async () => (await sidebar.boundingBox())?.width ?? 0;
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  expect(await width()).toBeGreaterThan(200);
  await page.keyboard.press('Control+b');
  await expect.poll(width).toBeLessThan(60);
  await page.reload();
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  expect(await width()).toBeLessThan(60);
  await picture(page, 'shell-collapsed');
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state');
  expect(cookie?.expires).toBeCloseTo(Date.now() / 1000 + 7 * 24 * 3600, -3);
  await page.keyboard.press('Meta+b');
  await expect.poll(width).toBeGreaterThan(200);
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await expect.poll(width).toBeLessThan(60);
});

test('the open assistant leaves room for the page, or is closed by a key', async () => {
  for (const width of [1024, 1280]) {
    const page = await stage.open('/containers', { as: admin, viewport: { width, height: 800 } });
    await page.getByRole('button', { name: 'AI Assistant' }).click();
    const panel = page.getByRole('complementary', { name: 'AI Assistant' });
    await page.getByRole('list', { name: 'Suggested questions' }).waitFor();
    await expectSound(page);
    await picture(page, `shell-panel-${width}`);
    if (width > 1024) {
      const main = await page.locator('#main').boundingBox();
      expect(main?.width).toBeGreaterThanOrEqual(720);
      expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(width - 500);
    } else await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Register Image' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(`panel-${width}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
    const toast = await page.getByText('Container image registered successfully').first().elementHandle();
    const right = await toast?.evaluate((words) => words.getBoundingClientRect().right);
    if (width > 1024) expect(right).toBeLessThan((await panel.boundingBox())?.x ?? 0);
  }
});

test('on a phone the sidebar is a drawer', async () => {
  const page = await stage.open('/', { as: admin, viewport: NARROW });
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  await expectSound(page);
  await page
    .getByRole('button', { name: /sidebar/i })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await drawer.getByRole('link', { name: 'DNS' }).waitFor();
  expect((await drawer.boundingBox())?.width).toBe(288);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sidebar_state');
  await picture(page, 'shell-drawer');
  await expectSound(page);
  await drawer.getByRole('link', { name: 'DNS' }).click();
  await page.waitForURL('**/dns');
  await expect.poll(() => drawer.count()).toBe(0);
});

test('the command palette goes anywhere by keyboard', async () => {
  const page = await stage.open('/', { as: admin });
  await page.getByRole('heading', { name: 'Deployments' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await picture(page, 'palette');
  await expectSound(page);
  await page.keyboard.type('billing');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/billing');

  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  await toggle.focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => toggle.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('add record');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add Record' });
  await dialog.waitFor();
  await expect.poll(() => dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
});

test('the palette finds everything that one owns, by keyboard', async () => {
  const owner = await stage.world.as('Owner');
  const make = (route: string, body: object) => owner.rest(route, { body });
  const project = await make('POST /api/projects', { name: 'quokka-site' });
  const file = { fileName: 'quokka.txt', filePath: '/animals/', fileSize: 2, mimeType: 'text/plain' };
  const record = { domain: 'quokka.test', recordType: 'A', name: 'www', value: '192.0.2.7', ttl: 3600 };
  const app = { name: 'Quokka App', bundleId: 'com.example.quokka' };
  await make('POST /api/storage', { ...file, fileData: 'data:text/plain;base64,aGk=' });
  await make('POST /api/dns', record);
  await make('POST /api/containers', { name: 'quokka', tag: '1.0' });
  await make('POST /api/mobile-apps', app);
  await make('POST /api/payment-gateway/virtual-accounts', { accountName: 'Quokka fund' });
  const shown = [
    ...['quokka-site', 'quokka.txt', /\/quokka:1\.0$/, 'quokka.test', 'www.quokka.test'],
    ...['Quokka App', 'Quokka fund'],
  ];

  for (const [viewport, theme] of [
    [WIDE, 'dark'],
    [NARROW, 'light'],
  ] as const) {
    const page = await stage.open('/billing', { as: owner, viewport, theme });
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').waitFor();
    await picture(page, `palette-${viewport.width}-${theme}`);
    const height = (await palette.boundingBox())?.height;
    await page.keyboard.type('quokka');
    for (const text of shown) await palette.getByText(text, { exact: true }).first().waitFor();
    expect((await palette.boundingBox())?.height).toBe(height);
    await picture(page, `palette-found-${viewport.width}-${theme}`);
    await expectSound(page);
    await page.keyboard.type(' nowhere');
    await palette.getByText('No results for “quokka nowhere”.').waitFor();
    await picture(page, `palette-nothing-${viewport.width}-${theme}`);
    for (let key = 0; key < ' nowhere'.length; key++) await page.keyboard.press('Backspace');
    await palette.getByText('quokka-site', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/projects/${(project.body as { id: string }).id}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('www.quokka');
    await palette.getByText('www.quokka.test', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dns?domain=quokka.test*');
  }
});

test('the account page changes name and password, and ends other sessions', async () => {
  const other = await stage.open('/', { as: member });
  const page = await stage.open('/account', { as: member });
  await page.getByRole('heading', { name: 'Account' }).first().waitFor();
  await picture(page, 'account-dark', true);
  await expectSound(page);
  await page.getByLabel('First name').fill('Augusta');
  await page.getByRole('button', { name: /save/i }).first().click();
  await page.getByText('Augusta Tester').first().waitFor();
  await other.context().close();
});

test('logging out ends the session', async () => {
  const page = await stage.open('/', { as: await stage.world.as('Leaver') });
  await page
    .getByRole('link', { name: 'Log out' })
    .or(page.getByRole('button', { name: 'Log out' }))
    .first()
    .click();
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
});
