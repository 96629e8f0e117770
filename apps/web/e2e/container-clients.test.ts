import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireTool } from '../../../tools/require-tool.ts';
import type { Person } from '../../api/test/world.ts';
import { buildImage } from './container-images.ts';
import { createStage, expectSound, picture, type Stage } from './stage.ts';

const run = promisify(execFile);
const HAS_CLIENTS = [requireTool('skopeo'), requireTool('umoci')].every(Boolean);

let stage: Stage;
let ada: Person;
let folder: string;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
  folder = await mkdtemp(join(tmpdir(), 'nephos-pull-'));
});

afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

function card(page: Page, name: string) {
  return page
    .getByRole('list', { name: 'Container images' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
}

/** A command that the open dialog shows. */
async function shownCommand(page: Page, label: string): Promise<string> {
  return (await page.getByRole('region', { name: `${label} command` }).textContent()) ?? '';
}

/** Runs a shown command as it stands, in a folder and with logins of our own; the password goes in where it is asked. */
async function type(command: string, password?: string): Promise<string> {
  const [program = '', ...args] = command.split(' ');
  const env = { ...process.env, REGISTRY_AUTH_FILE: join(folder, 'auth.json') };
  const asked = password === undefined ? [] : ['--password-stdin'];
  const running = run(program, [...args.slice(0, 1), ...asked, ...args.slice(1)], { cwd: folder, env });
  running.child.stdin?.end(password);
  return (await running).stdout;
}

test.skipIf(!HAS_CLIENTS)('the commands of Pull Instructions work as they are shown', async () => {
  await ada.rpc.containers.create.mutate({ name: 'weather' });
  const page = await stage.open('/containers', { as: ada });
  await page.getByRole('button', { name: 'Pull Instructions for ada/weather:latest' }).click();
  const { host } = new URL(stage.origin);
  expect(await shownCommand(page, 'Log in')).toBe(`docker login --username ada@example.com ${host}`);
  expect(await shownCommand(page, 'Pull')).toBe(`docker pull ${host}/ada/weather:latest`);
  expect(await shownCommand(page, 'Tag')).toBe(`docker tag weather:latest ${host}/ada/weather:latest`);
  expect(await shownCommand(page, 'Push')).toBe(`docker push ${host}/ada/weather:latest`);
  await picture(page, 'containers-instructions-docker');
  await expectSound(page);
  await page.getByRole('tab', { name: 'skopeo' }).click();
  const shown = {
    login: await shownCommand(page, 'Log in'),
    push: await shownCommand(page, 'Push'),
    pull: await shownCommand(page, 'Pull'),
    inspect: await shownCommand(page, 'Inspect'),
  };
  await picture(page, 'containers-instructions-skopeo');
  await expectSound(page);

  // The password that they ask for: made on the account page, and shown there once.
  await page.getByRole('link', { name: 'access token' }).click();
  await page.waitForURL('**/account#tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New access token' });
  await dialog.getByLabel('Name').fill('laptop');
  await dialog.getByLabel('Scope').click();
  await page.getByRole('option', { name: 'Read and write' }).click();
  await picture(page, 'account-new-token');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = (await dialog.getByRole('region', { name: 'access token' }).textContent()) ?? '';
  await picture(page, 'account-created-token');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('list', { name: 'Access tokens' }).getByText('laptop').waitFor();
  await page.reload();
  await page.getByRole('list', { name: 'Access tokens' }).getByText('laptop').waitFor();
  expect(await page.content()).not.toContain(secret);
  await picture(page, 'account-tokens');

  // From here on the page stays open: it shows what the shell does.
  await page.goto(`${stage.origin}/containers`);
  const weather = card(page, 'ada/weather');
  await weather.getByText('Awaiting push').waitFor();
  await buildImage(folder, 'weather');
  expect(await type(shown.login, secret)).toContain('Login Succeeded');
  await type(shown.push);
  await weather.getByText(/^\d+\.\d\d KB$/).waitFor();
  expect(await weather.getByText('Awaiting push').count()).toBe(0);
  await rm(join(folder, 'weather'), { recursive: true });
  await type(shown.pull);
  const { stdout } = await run('umoci', ['list', '--layout', 'weather'], { cwd: folder });
  expect(stdout.trim()).toBe('latest');
  expect(JSON.parse(await type(shown.inspect))).toMatchObject({ RepoTags: ['latest'] });
  await expect.poll(() => weather.locator('dd').last().textContent()).toBe('2');
});
