import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectPostgres } from '../../api/test/databases/postgres-session.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const run = promisify(execFile);
const API = join(import.meta.dirname, '..', '..', 'api');
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const MASKED = /^postgresql:\/\/[^:]+:•{8}@/;

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

function card(page: Page, name: string) {
  return page
    .getByRole('list', { name: 'Databases' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
}

function shownString(page: Page) {
  return page.getByRole('region', { name: 'connection string' }).first();
}

async function askForString(page: Page) {
  await page.getByRole('button', { name: 'Show connection string' }).click();
}

async function idOf(name: string): Promise<string> {
  const database = (await ada.rpc.databases.list.query()).find((candidate) => candidate.name === name);
  if (!database) throw new Error(`There is no ${name}`);
  return database.id;
}

async function connectionString(name: string): Promise<string> {
  return (await ada.rpc.databases.connection.query({ id: await idOf(name) })).connectionString;
}

/** Asks the database something, as any client does. */
async function select(address: string, sql: string): Promise<unknown> {
  const client = await connectPostgres(address);
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

/** Nothing changes the row until the test is over: the server soon takes up a creation that nothing works on. */
async function holdDatabase(id: string): Promise<void> {
  const holder = await connectPostgres(stage.world.databaseUrl);
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query('select from managed_databases where id = $1 for update', [id]);
}

test('an empty account is shown the first step, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'databases-empty-dark' },
    { name: 'databases-empty-light', theme: 'light' as const },
    { name: 'databases-empty-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/databases', { as: ada, ...visit });
    await page.getByText('No databases yet').waitFor();
    await picture(page, visit.name);
    await expectSound(page);
  }
});

test('a reload right after the form was sent does not ask for it again', async () => {
  const page = await stage.open('/databases?new=1', { as: ada });
  const dialog = page.getByRole('dialog', { name: 'New Database' });
  await dialog.getByLabel('Name').fill('orders');
  // An answer that never comes: whatever became of it, the page is reloaded before.
  await page.route('**/trpc/databases.create*', () => {});
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect.poll(() => new URL(page.url()).search, { interval: 10 }).toBe('');
  expect(await dialog.count()).toBe(1);
  await page.reload();
  await page.getByText('No databases yet').waitFor();
  expect(await dialog.count()).toBe(0);
});

test('by keyboard: from a name to a string that connects', async () => {
  const page = await stage.open('/databases', { as: ada });
  await page.getByRole('button', { name: 'Create your first database' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New Database' });
  const create = dialog.getByRole('button', { name: 'Create', exact: true });
  await create.waitFor();
  expect(await create.isDisabled()).toBe(true);
  await expect
    .poll(() => dialog.getByLabel('Name').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await page.keyboard.type('orders');
  await dialog.getByText('0 of 20 databases').waitFor();
  await picture(page, 'databases-new');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('Database created successfully').first().waitFor();

  const orders = card(page, 'orders');
  await orders.getByText('Available').waitFor();
  for (const fact of ['PostgreSQL', 'us-east-1', '10 GB'])
    await orders.getByText(fact, { exact: true }).waitFor();
  await orders.getByRole('button', { name: 'View Connection String of orders' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => shownString(page).textContent()).toMatch(MASKED);
  await picture(page, 'databases-connection-masked');
  await page.getByRole('button', { name: 'Reveal' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Hide' }).waitFor();
  const address = (await shownString(page).textContent()) ?? '';
  expect(await select(address, 'select 1 as one')).toEqual({ one: 1 });
  await picture(page, 'databases-connection');
  await expectSound(page);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect.poll(() => shownString(page).textContent()).toMatch(MASKED);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(await page.content()).not.toContain(new URL(address).password);
});

test('every state has its card and its page, on a phone and in the light too', async () => {
  const { db } = stage.world.deps;
  await ada.rpc.databases.create.mutate({ name: 'analytics', region: 'eu-west-1', storageSize: 250 });
  await ada.rpc.databases.create.mutate({ name: 'staging', region: 'us-west-2' });
  const page = await stage.open('/databases', { as: ada });
  for (const name of ['analytics', 'staging']) await card(page, name).getByText('Available').waitFor();
  const failed = { status: 'failed', error: 'The server has no room left. Free some, then retry.' } as const;
  await db.updateTable('managedDatabases').set(failed).where('name', '=', 'analytics').execute();
  await db
    .updateTable('managedDatabases')
    .set({ status: 'creating' })
    .where('name', '=', 'staging')
    .execute();
  await holdDatabase(await idOf('staging'));

  await page.reload();
  await card(page, 'staging').getByText('Creating').waitFor();
  await card(page, 'analytics').getByText(failed.error).waitFor();
  await picture(page, 'databases-cards', true);
  await expectSound(page);
  await card(page, 'staging').getByRole('button', { name: 'View Connection String' }).click();
  await page.getByText(/Creating the database/).waitFor();
  await picture(page, 'databases-connection-creating');
  await expectSound(page);
  const narrow = await stage.open('/databases', { as: ada, viewport: NARROW, theme: 'light' });
  await card(narrow, 'analytics').waitFor();
  await picture(narrow, 'databases-cards-narrow-light', true);
  await expectSound(narrow);
  await narrow.getByRole('button', { name: 'New Database' }).click();
  await narrow.getByText(/^\d+ of 20 databases/).waitFor();
  await picture(narrow, 'databases-new-narrow-light');
  await expectSound(narrow);
  await narrow.keyboard.press('Escape');

  await narrow.goto(`${stage.origin}/databases/${await idOf('staging')}`);
  await narrow.getByText(/Creating the database/).waitFor();
  await picture(narrow, 'database-creating-narrow-light', true);
  await expectSound(narrow);
  await narrow.goto(`${stage.origin}/databases/${await idOf('analytics')}`);
  await narrow.getByRole('alert').getByText(failed.error).waitFor();
  await picture(narrow, 'database-failed-narrow-light', true);
  await expectSound(narrow);
  await narrow.getByRole('button', { name: 'Retry analytics' }).click();
  await narrow.getByText('Available').waitFor();
});

test('the page of a database has everything to connect, and it works as it is shown', async () => {
  const page = await stage.open('/databases', { as: ada, context: CLIPBOARD });
  await card(page, 'orders').getByRole('link', { name: 'orders' }).click();
  await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
  await askForString(page);
  await expect.poll(() => shownString(page).textContent()).toMatch(MASKED);
  await page.getByRole('progressbar', { name: 'Storage used' }).waitFor();
  await picture(page, 'database-page', true);
  await expectSound(page);

  await page.getByRole('button', { name: 'Copy connection string' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { hostname, port, username, password, pathname } = new URL(copied);
  const parts = { host: hostname, port, database: pathname.slice(1), user: username, password };
  for (const [part, value] of Object.entries(parts)) {
    await page.getByRole('button', { name: `Copy ${part}`, exact: true }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  }
  expect(await page.content()).not.toContain(password);

  const command = await page.getByRole('region', { name: 'Shell: Connect' }).textContent();
  expect(command).toBe('psql "$DATABASE_URL"');
  const env = { ...process.env, DATABASE_URL: copied };
  await page.getByRole('tab', { name: 'Node.js' }).click();
  const code = await page.getByRole('region', { name: 'Node.js: Connect' }).textContent();
  const node = await run(process.execPath, ['--input-type=module', '--eval', code ?? ''], { env, cwd: API });
  expect(node.stdout).toMatch(/^PostgreSQL \d+/);
  await picture(page, 'database-page-node', true);
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.getByText("pip install 'psycopg[binary]'").waitFor();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByText(password, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();

  const client = await connectPostgres(copied);
  await client.query('create table lines as select generate_series(1, 50000) as n');
  await page.getByRole('button', { name: 'Refresh usage' }).click();
  await expect
    .poll(() =>
      page.getByRole('progressbar', { name: 'Connections used' }).getAttribute('aria-valuenow').then(Number),
    )
    .toBeGreaterThan(0);
  await client.end();

  const narrow = await stage.open(new URL(page.url()).pathname, {
    as: ada,
    viewport: NARROW,
    theme: 'light',
  });
  await narrow.getByRole('progressbar', { name: 'Storage used' }).waitFor();
  await askForString(narrow);
  await narrow.getByRole('button', { name: 'Reveal' }).click();
  await picture(narrow, 'database-page-narrow-light', true);
  await expectSound(narrow);
});

test('a new password ends the old one and all connections', async () => {
  const old = await connectionString('orders');
  const open = await connectPostgres(old);
  const ended = new Promise((resolve) => open.once('end', resolve));
  const page = await stage.open(`/databases/${await idOf('orders')}`, { as: ada });
  await page.getByRole('button', { name: 'Reset password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset password' });
  await dialog.getByText(/all open connections end/).waitFor();
  await picture(page, 'database-rotate');
  await dialog.getByRole('button', { name: 'Reset password' }).click();
  await dialog.getByText('This is the new connection string.').waitFor();
  await ended;
  const address = (await shownString(page).textContent()) ?? '';
  await picture(page, 'database-rotated');
  await expectSound(page);
  await expect(select(old, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  expect(await select(address, 'select count(*)::int as n from lines')).toEqual({ n: 50_000 });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await askForString(page);
  await page.getByRole('button', { name: 'Reveal' }).click();
  await expect.poll(() => shownString(page).textContent()).toBe(address);
});

test('deleting asks for the name; an open page elsewhere follows, and the string opens nothing', async () => {
  const address = await connectionString('orders');
  const elsewhere = await stage.open(`/databases/${await idOf('orders')}`, { as: ada });
  await elsewhere.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
  const page = await stage.open('/databases', { as: ada });
  await card(page, 'orders').getByRole('link').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete database?' });
  const confirm = dialog.getByRole('button', { name: 'Delete database' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('orders');
  await picture(page, 'database-delete');
  await expectSound(page);
  await confirm.click();
  await page.waitForURL('**/databases');
  await card(page, 'staging').waitFor();
  await expect.poll(() => card(page, 'orders').count()).toBe(0);
  await elsewhere.getByText("Not found, or you don't have access.").waitFor();
  await expect.poll(() => select(address, 'select 1').then(() => 'opened', String)).not.toBe('opened');
});
