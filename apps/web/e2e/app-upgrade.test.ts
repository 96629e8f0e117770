import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askPassword, type CatalogueItem } from '../../api/src/domains/marketplace/catalogue/item.ts';
import { recipe } from '../../api/src/domains/marketplace/catalogue/recipe.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

/** Keeps one text on its disk. Version 2.0.0 spoils it at its start, and does not get healthy. */
const START = `const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { version } = require('./package.json');
const file = process.env.NEPHOS_DATA + '/text';
if (version === '2.0.0') writeFileSync(file, 'spoilt');
require('node:http').createServer((request, response) => {
  if (request.url === '/health') return response.writeHead(version === '2.0.0' ? 500 : 200).end();
  if (request.method === 'PUT') return request.on('data', (text) => writeFileSync(file, text)).on('end', () => response.end());
  response.end(version + ' has ' + (existsSync(file) ? readFileSync(file, 'utf8') : 'nothing'));
}).listen(process.env.PORT, process.env.HOST);`;

function textKeeper(version: string): CatalogueItem {
  return recipe({
    ...{ id: 'text-keeper', name: 'Text Keeper', description: 'Keeps a text.', category: 'Texts', version },
    ...{ runs: 'nodejs', disk: 64, memory: 128, healthPath: '/health', healthTimeout: 3 },
    questions: [askPassword('password', { label: 'Password' })],
    variables: (answer) => ({ PASSWORD: answer('password') }),
    firstSteps: 'Write a text.',
  });
}

const catalogue = [textKeeper('1.0.0')];
let recipes: string;
let stage: Stage;
let ada: Person;

beforeAll(async () => {
  recipes = await mkdtemp(join(tmpdir(), 'nephos-recipes-'));
  const folder = join(recipes, 'text-keeper');
  await mkdir(folder);
  const manifest = {
    name: 'keeper',
    version: '@VERSION@',
    private: true,
    scripts: { start: 'node start.js' },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'start.js'), START);
  stage = await createStage({ overrides: { catalogue, recipes } });
  ada = await stage.world.as('Ada');
});

afterAll(async () => {
  await stage.close();
  await rm(recipes, { recursive: true });
});

async function textOf(site: Page): Promise<string> {
  await site.reload();
  return (await site.locator('body').textContent()) ?? '';
}

async function upgrade(page: Page, version: string): Promise<void> {
  catalogue.splice(0, 1, textKeeper(version));
  await page.reload();
  await page.getByRole('button', { name: 'Upgrade Text Keeper' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Upgrade Text Keeper to ${version}?` });
  await dialog.getByRole('list', { name: 'What changes' }).waitFor();
  await picture(page, `app-upgrade-${version}`);
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Upgrade', exact: true }).press('Enter');
}

test('an app keeps its data over upgrades: one that fails goes back by itself, the next one comes to run', async () => {
  const page = await stage.open('/marketplace?install=text-keeper', { as: ada });
  const password = page.getByRole('dialog').getByLabel('Password', { exact: true });
  await password.fill('only for this test');
  expect(await password.getAttribute('type')).toBe('password');
  await picture(page, 'app-install');
  await expectSound(page);
  await password.press('Enter');
  await page.getByText('Item installed successfully').first().waitFor();
  await page.getByText('Write a text.').first().waitFor();
  await picture(page, 'app-installed');
  const [{ url = '', receipt = [] } = {}] = await ada.rpc.marketplace.installations.query();
  const site = await page.context().newPage();
  await site.goto(`${url}/health`);
  await site.evaluate(() => fetch('/', { method: 'PUT', body: 'a text' }));
  await site.goto(url);
  expect(await textOf(site)).toBe('1.0.0 has a text');

  await upgrade(page, '2.0.0');
  await page.getByText('Upgrading to 2.0.0').waitFor();
  await page.getByText('The upgrade failed').waitFor();
  await page.getByText('1.0.0 is still installed.').waitFor();
  await picture(page, 'app-upgrade-failed');
  await expectSound(page);
  expect(await textOf(site)).toBe('1.0.0 has a text');
  await page.getByRole('link', { name: 'View log' }).click();
  await page.getByText('Backing up the disk data').waitFor();
  await page.getByText('The disk data is as it was before.').waitFor();
  await picture(page, 'app-upgrade-log');

  await page.goto(`${stage.origin}/marketplace?tab=installed`);
  await upgrade(page, '2.1.0');
  await expect.poll(() => textOf(site)).toBe('2.1.0 has a text');
  await page.getByText('The upgrade failed').waitFor({ state: 'detached' });
  await page.getByText('2.1.0').first().waitFor();

  const phone = await stage.open('/marketplace?tab=installed', { as: ada, viewport: NARROW, theme: 'light' });
  await phone.getByText('2.1.0').first().waitFor();
  await picture(phone, 'app-upgraded-narrow-light', true);
  await expectSound(phone);
  await phone.getByRole('button', { name: 'Uninstall Text Keeper' }).click();
  await phone.getByRole('alertdialog').getByRole('textbox').fill('Text Keeper');
  await phone.keyboard.press('Enter');
  await phone.getByText('Item uninstalled successfully').first().waitFor();
  expect(await ada.rpc.projects.list.query()).toEqual([]);
  const projects = join(stage.world.deps.settings.dataDir, 'apps/projects');
  await expect.poll(() => readdir(projects)).not.toContain(receipt[0]?.id);
});
