import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/server-process.mjs';
import { connectPostgres } from '../../api/test/databases/postgres-session.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

/** Milliseconds in which an item with a database and an app is there, also on a busy machine. */
const INSTALL_MS = 50_000;
const FULL_STACK = 'Full-stack starter';
const TRIAL_ENDED = 'Your trial has ended. Subscribe to a plan to continue installing marketplace items.';
const HAS_REGISTRY = await reachesRegistry();

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage({ settings: { dnsPort: await freePort() } });
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

/** The full-stack starter's build fetches the PostgreSQL client. */
async function reachesRegistry(): Promise<boolean> {
  try {
    await promisify(execFile)('npm', ['view', 'pg', 'version'], { timeout: 60_000 });
    return true;
  } catch {
    console.warn('skipped: installing the full-stack starter needs the npm registry');
    return false;
  }
}

function card(page: Page, name: string) {
  return page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
}

function tab(page: Page, name: string) {
  return page.getByRole('tab', { name, exact: true });
}

async function endTrial({ user }: Person): Promise<void> {
  await stage.world.deps.db
    .updateTable('users')
    .set({ trialEndDate: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', user.id)
    .execute();
}

/** What someone has of all that an item can make. */
async function belongings({ rpc }: Person) {
  const lists = await Promise.all([
    rpc.marketplace.installations.query({ attempts: true }),
    rpc.projects.list.query(),
    rpc.databases.list.query(),
    rpc.dns.list.query(),
  ]);
  return lists.flat();
}

test('the catalogue, in both themes and on a phone', async () => {
  const items = await ada.rpc.marketplace.list.query();
  expect(items.length).toBeGreaterThanOrEqual(14);
  for (const visit of [
    { name: 'marketplace-dark' },
    { name: 'marketplace-light', theme: 'light' as const },
    { name: 'marketplace-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/marketplace', { as: ada, ...visit });
    await tab(page, `All Items (${items.length})`).waitFor();
    await page.getByText('14-Day Free Trial Active').waitFor();
    await page.getByText('14 days remaining.').waitFor();
    await picture(page, visit.name, true);
    await expectSound(page);
  }
});

test('search, categories and tabs, by keyboard, and all of them kept in the address', async () => {
  const items = await ada.rpc.marketplace.list.query();
  const page = await stage.open('/marketplace', { as: ada });
  await page.getByRole('searchbox', { name: 'Search the marketplace' }).focus();
  await page.keyboard.type('FULL-STACK');
  await tab(page, 'All Items (1)').waitFor();
  await card(page, FULL_STACK).getByText('Template').waitFor();
  await page.reload();
  await tab(page, 'All Items (1)').waitFor();
  await page.getByRole('searchbox').fill('nothing of the kind');
  await page.getByText('No items found').waitFor();
  await picture(page, 'marketplace-none-found');
  await expectSound(page);
  await page.getByRole('button', { name: 'Show all items' }).click();

  await page.getByRole('combobox', { name: 'Category' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Email' }).waitFor();
  await picture(page, 'marketplace-categories');
  await page.keyboard.press('E');
  await page.getByRole('option', { name: 'Email' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await tab(page, `All Items (${items.filter(({ category }) => category === 'Email').length})`).waitFor();
  expect(new URL(page.url()).search).toBe('?category=Email');

  await page.goto(`${stage.origin}/marketplace`);
  await tab(page, `All Items (${items.length})`).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('No installed items').waitFor();
  await picture(page, 'marketplace-none-installed');
  await expectSound(page);
});

test('an item that this server cannot make says what is needed, before one tries', async () => {
  const page = await stage.open('/marketplace?q=MongoDB', { as: ada });
  await card(page, 'MongoDB database').getByText('Not available here: A MongoDB server').waitFor();
  await card(page, 'MongoDB database').getByRole('button', { name: 'Install MongoDB database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Install MongoDB database' });
  await dialog.getByText(/MANAGED_MONGODB_URL/).waitFor();
  expect(await dialog.getByRole('button', { name: 'Install', exact: true }).isDisabled()).toBe(true);
  await picture(page, 'marketplace-unmet-need');
  await expectSound(page);
});

test.skipIf(!HAS_REGISTRY)(
  'the full-stack starter, from a keystroke to a site that reads from its database, and back to nothing',
  { timeout: 2 * INSTALL_MS },
  async () => {
    const page = await stage.open('/marketplace?q=full-stack', { as: ada });
    await card(page, FULL_STACK)
      .getByRole('button', { name: `Install ${FULL_STACK}` })
      .focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Install ${FULL_STACK}` });
    await dialog.getByRole('list', { name: 'What it creates' }).waitFor();
    await dialog.getByRole('list', { name: 'What it needs' }).waitFor();
    await dialog.getByLabel('Name').fill('Notes');
    await picture(page, 'marketplace-install');
    await expectSound(page);
    await page.keyboard.press('Enter');
    await card(page, FULL_STACK)
      .getByRole('progressbar', { name: `Installing ${FULL_STACK}` })
      .waitFor();
    await card(page, FULL_STACK).getByText('Step 2 of 2').waitFor();
    await picture(page, 'marketplace-installing');
    await expectSound(page);
    await page.getByText('Item installed successfully').first().waitFor({ timeout: INSTALL_MS });
    await card(page, FULL_STACK).getByText('Installed', { exact: true }).waitFor();
    await card(page, FULL_STACK).getByText('1 install', { exact: true }).waitFor();
    await tab(page, 'My Installations (1)').click();
    await picture(page, 'marketplace-installed');
    await expectSound(page);

    const opened = page.waitForEvent('popup');
    await card(page, FULL_STACK)
      .getByRole('link', { name: `Open ${FULL_STACK}` })
      .click();
    const site = await opened;
    await site.getByText('Your first note, read from the database.').waitFor();
    await site.getByLabel('New note').fill('Written in a browser');
    await site.getByRole('button', { name: 'Add' }).click();
    await site.getByRole('listitem').getByText('Written in a browser').waitFor();
    await picture(site, 'marketplace-site');
    const [database] = await ada.rpc.databases.list.query();
    const { connectionString } = await ada.rpc.databases.connection.query({ id: database?.id ?? '' });
    const client = await connectPostgres(connectionString);
    expect((await client.query('select text from notes order by id desc limit 1')).rows).toEqual([
      { text: 'Written in a browser' },
    ]);
    await client.end();

    const made = card(page, FULL_STACK).getByRole('list', { name: `Made by ${FULL_STACK}` });
    await made.getByRole('link').first().click();
    await page.waitForURL(`**/databases/${database?.id}`);
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await page.goBack();

    await card(page, FULL_STACK)
      .getByRole('button', { name: `Uninstall ${FULL_STACK}` })
      .click();
    const confirm = page.getByRole('alertdialog', { name: `Uninstall ${FULL_STACK}?` });
    await confirm.getByRole('list', { name: 'What is removed' }).waitFor();
    await confirm.getByRole('switch', { name: 'Keep data' }).click();
    await confirm.getByText('Kept', { exact: true }).waitFor();
    await picture(page, 'marketplace-uninstall');
    await expectSound(page);
    await confirm.getByRole('switch', { name: 'Keep data' }).click();
    await confirm.getByRole('textbox').fill(FULL_STACK);
    await page.keyboard.press('Enter');
    await page.getByText('Item uninstalled successfully').first().waitFor();
    await page.getByText('No installed items').waitFor();
    expect(await belongings(ada)).toEqual([]);
    await expect.poll(() => connectPostgres(connectionString).then(() => 'open', String)).not.toBe('open');
    await site.reload();
    expect(await site.getByText('Your first note').count()).toBe(0);
  },
);

test('after the trial, nothing can be installed, and what is there can go', async () => {
  const bob = await stage.world.as('Bob');
  const page = await stage.open('/marketplace?install=postgresql-database', { as: bob });
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByText('Item installed successfully').first().waitFor();
  await card(page, 'PostgreSQL database')
    .getByRole('button', { name: 'Uninstall PostgreSQL database' })
    .waitFor();

  await page.goto(`${stage.origin}/marketplace?install=private-container-repository`);
  const install = page.getByRole('button', { name: 'Install', exact: true });
  await install.waitFor();
  await endTrial(bob);
  await install.click();
  await page.getByText(TRIAL_ENDED).first().waitFor();
  await page.getByRole('dialog').getByText('Subscription Required').waitFor();
  expect(await install.isDisabled()).toBe(true);
  await picture(page, 'marketplace-trial-ended-install');
  await expectSound(page);
  expect(await bob.rest('POST /api/marketplace/status-page/install', { body: {} })).toMatchObject({
    status: 403,
    body: { code: 'TRIAL_ENDED', message: TRIAL_ENDED },
  });
  await page.getByRole('button', { name: 'Cancel' }).click();

  const phone = await stage.open('/marketplace?tab=installed', { as: bob, viewport: NARROW, theme: 'light' });
  await phone.getByText('Subscription Required').waitFor();
  await card(phone, 'PostgreSQL database').waitFor();
  await picture(phone, 'marketplace-trial-ended-narrow-light', true);
  await expectSound(phone);
  await card(phone, 'PostgreSQL database')
    .getByRole('button', { name: 'Uninstall PostgreSQL database' })
    .click();
  const confirm = phone.getByRole('alertdialog', { name: 'Uninstall PostgreSQL database?' });
  await confirm.getByRole('textbox').fill('PostgreSQL database');
  await picture(phone, 'marketplace-uninstall-narrow-light');
  await expectSound(phone);
  await confirm.getByRole('button', { name: 'Uninstall' }).click();
  await phone.getByText('No installed items').waitFor();
  await tab(page, 'My Installations (0)').waitFor();
  expect(await belongings(bob)).toEqual([]);
  await phone.getByRole('link', { name: 'View Subscription Plans' }).click();
  await phone.waitForURL('**/billing');
});

test('a failed installation says why and can be tried again; a server in trouble says so, too', async () => {
  const eve = await stage.world.as('Eve');
  const error =
    'Project from the static-site template did not get ready: the disk is full. Free some, then retry.';
  await stage.world.deps.db
    .insertInto('installations')
    .values([
      {
        ownerId: eve.user.id,
        itemId: 'static-site-starter',
        version: '1.0.0',
        steps: 1,
        inputs: '{}',
        status: 'failed',
        error,
      },
      {
        ownerId: eve.user.id,
        itemId: 'status-page',
        version: '1.0.0',
        steps: 1,
        inputs: '{}',
        doing: 'Creating Project',
      },
    ])
    .execute();
  const page = await stage.open('/marketplace', { as: eve });
  await card(page, 'Static site starter').getByText(error).waitFor();
  await picture(page, 'marketplace-failed', true);
  await expectSound(page);
  await card(page, 'Static site starter').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog', { name: 'Install Static site starter' }).waitFor();
  await page.keyboard.press('Escape');
  await card(page, 'Static site starter').getByRole('button', { name: 'Dismiss' }).click();
  await card(page, 'Static site starter')
    .getByRole('button', { name: 'Install Static site starter', exact: true })
    .waitFor();

  let failing = true;
  await page.route('**/trpc/marketplace.**', (route) => {
    if (!failing || !route.request().url().includes('marketplace.list')) return route.continue();
    return route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"error":{"message":"Service temporarily unavailable. Try again in a moment.","code":-32603,"data":{"code":"SERVICE_UNAVAILABLE","httpStatus":503,"reason":"UNAVAILABLE","requestId":"x"}}}',
    });
  });
  await page.reload();
  await page.getByText('Service temporarily unavailable. Try again in a moment.').waitFor();
  await picture(page, 'marketplace-failing');
  await expectSound(page);
  failing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await card(page, 'Static site starter').waitFor();
});
