import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitServer, startGitServer } from '../../api/test/git-server.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

const DEPLOY_MS = 60_000;
const MANIFEST = JSON.stringify({ name: 'greeter', scripts: { start: 'node server.js' } });

let stage: Stage;
let git: GitServer;
let ada: Person;

const LINES = 3000;

/** What the internet has of TXT records. */
let texts: string[] = [];

const greeting = (text: string) => `
for (let line = 1; line <= ${LINES}; line++) console.log('line ' + line);
console.error('an <b>error</b>');
console.log('\\u001b[32mgreen words\\u001b[0m');
require('node:http').createServer((_, reply) => reply.end('${text}')).listen(process.env.PORT);
`;

beforeAll(async () => {
  const publicDns = { txt: async () => texts, addresses: async () => [] };
  stage = await createStage({ overrides: { publicDns } });
  git = await startGitServer();
  ada = await stage.world.as('Ada');
});

afterAll(async () => {
  await stage.close();
  await git.close();
});

/** What the app at a slug answers. */
function askApp(slug: string) {
  return askHost(`${slug}.localhost`);
}

/** What a host name answers, asked as a browser asks. */
function askHost(host: string): Promise<{ status: number | undefined; text: string }> {
  const { port } = new URL(stage.origin);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers: { host: `${host}:${port}` } }, async (response) => {
      const parts = await response.toArray();
      resolve({ status: response.statusCode, text: Buffer.concat(parts).toString() });
    })
      .on('error', reject)
      .end();
  });
}

async function newestStatus(projectId: string): Promise<string | undefined> {
  const [newest] = await ada.rpc.deployments.list.query({ id: projectId });
  return newest?.status;
}

async function reached(projectId: string, status: string): Promise<void> {
  await expect.poll(() => newestStatus(projectId), { timeout: DEPLOY_MS, interval: 200 }).toBe(status);
}

function projectIdOf(page: Page): string {
  return /projects\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
}

test('an empty account is shown the first step, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'deployments-empty-dark' },
    { name: 'deployments-empty-narrow-light', theme: 'light' as const, viewport: NARROW },
  ]) {
    const page = await stage.open('/', { as: ada, ...visit });
    await page.getByText('No projects yet').waitFor();
    await page.getByRole('button', { name: 'Create Your First Project' }).waitFor();
    await picture(page, visit.name);
    await expectSound(page);
    await page.getByRole('button', { name: 'Create Your First Project' }).click();
    await page.getByRole('dialog', { name: 'New Project' }).waitFor();
  }
  const page = await stage.open('/deployments?new=1', { as: ada });
  await page.getByRole('dialog', { name: 'New Project' }).waitFor();
});

test('from a Git address to a running app, a broken push, and back', async () => {
  await git.createRepository('greeter', { 'package.json': MANIFEST, 'server.js': greeting('Hello, first') });
  const page = await stage.open('/', { as: ada });

  // By keyboard alone.
  await page.getByRole('button', { name: 'New Project' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  const create = dialog.getByRole('button', { name: 'Create' });
  expect(await create.isDisabled()).toBe(true);
  expect(await dialog.getByLabel('Branch').inputValue()).toBe('main');
  expect(await dialog.getByLabel('Framework').textContent()).toBe('Node.js');
  await dialog.getByRole('textbox', { name: /^Name/ }).focus();
  await page.keyboard.type('Greeter');
  expect(await create.isDisabled()).toBe(false);
  await dialog.getByLabel(/Repository/).focus();
  await page.keyboard.type(git.url('greeter'));
  await picture(page, 'new-project');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('Project created successfully').first().waitFor();

  // It opens at the live log.
  await page.waitForURL('**/projects/*/log?deployment=*');
  await page.getByRole('log', { name: 'Deployment log' }).waitFor();
  await picture(page, 'project-created');
  await page.getByRole('link', { name: 'Deployments' }).first().click();
  const card = page.getByRole('listitem').filter({ hasText: 'Greeter' }).first();
  await card.getByText('No description').waitFor();
  await card.getByText('Active', { exact: true }).waitFor();
  await card.getByText('main', { exact: true }).waitFor();
  await card.getByRole('link', { name: 'Greeter' }).first().click();
  await page.waitForURL('**/projects/**');
  const projectId = projectIdOf(page);
  await reached(projectId, 'running');
  await page.getByText('Running').first().waitFor();
  expect(await askApp('greeter')).toEqual({ status: 200, text: 'Hello, first' });
  const { port } = new URL(stage.origin);
  await page.getByRole('link', { name: `greeter.localhost:${port}` }).waitFor();
  await page.getByRole('button', { name: 'Copy URL' }).waitFor();
  const live = page.getByRole('listitem').filter({ hasText: 'Live' });
  const [first] = await ada.rpc.deployments.list.query({ id: projectId });
  await live.getByText(first?.commit?.slice(0, 7) ?? 'no commit', { exact: true }).waitFor();
  await live.getByRole('link', { name: 'Build log' }).waitFor();
  expect(await live.getByRole('button', { name: 'Rollback' }).count()).toBe(0);
  await picture(page, 'project-running', true);
  await expectSound(page);

  // A browser opens it at its own name.
  const app = await page.context().newPage();
  await app.goto(`http://greeter.localhost:${port}/`);
  expect(await app.textContent('body')).toBe('Hello, first');

  await git.commit('greeter', { 'server.js': 'process.exit(3);' }, 'Break the start');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await reached(projectId, 'failed');
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'Last deploy failed; previous version is still running' });
  const [failed] = await ada.rpc.deployments.list.query({ id: projectId });
  await notice.getByText(failed?.error ?? 'no error').waitFor();
  expect(await notice.getByRole('link', { name: 'View log' }).getAttribute('href')).toBe(
    `/projects/${projectId}/log?deployment=${failed?.id}`,
  );
  await page.getByText('Failed').first().waitFor();
  await picture(page, 'project-failed', true);
  expect(await askApp('greeter')).toEqual({ status: 200, text: 'Hello, first' });

  await git.commit('greeter', { 'server.js': greeting('Hello, second') }, 'Greet again');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await reached(projectId, 'running');
  expect((await askApp('greeter')).text).toBe('Hello, second');

  await page
    .getByRole('button', { name: /Roll ?back/i })
    .last()
    .click();
  const confirm = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  if (await confirm.count()) await confirm.getByRole('button', { name: /Roll ?back/i }).click();
  await expect.poll(async () => (await askApp('greeter')).text, { timeout: DEPLOY_MS }).toBe('Hello, first');
});

test('a running app is restarted, stopped after a question, and started again', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const projectId = project?.id ?? '';
  const page = await stage.open(`/projects/${projectId}`, { as: ada });
  const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem');
  const before = project?.liveDeploymentId;
  await page.getByRole('button', { name: 'Restart' }).click();
  const statuses: (number | undefined)[] = [];
  const liveNow = async () => {
    statuses.push((await askApp('greeter')).status);
    return (await ada.rpc.projects.get.query({ id: projectId })).liveDeploymentId;
  };
  await expect.poll(liveNow, { timeout: DEPLOY_MS, interval: 50 }).not.toBe(before);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await rows.first().getByText('Restart', { exact: true }).waitFor();
  await rows.first().getByText('Live', { exact: true }).waitFor();
  expect(await page.getByText('Live', { exact: true }).count()).toBe(1);

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop Greeter?' });
  await question.waitFor();
  await picture(page, 'project-stop');
  await expectSound(page);
  expect((await askApp('greeter')).status).toBe(200);
  await question.getByRole('button', { name: 'Stop app' }).click();
  await page.getByRole('banner').or(page.locator('header')).getByText('Stopped').first().waitFor();
  await expect.poll(async () => (await askApp('greeter')).status, { timeout: DEPLOY_MS }).toBe(503);
  expect((await askApp('greeter')).text).toContain('<h1>Stopped</h1>');
  expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
  await picture(page, 'project-stopped', true);

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(async () => (await askApp('greeter')).text, { timeout: DEPLOY_MS }).toBe('Hello, first');
  await page.getByRole('button', { name: 'Restart' }).waitFor();
});

test('a command is run, a job is made, and a terminal opened and left', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const page = await stage.open(`/projects/${project?.id}/jobs`, { as: ada });
  await page.getByText('No cron jobs yet').waitFor();
  await picture(page, 'jobs-empty');
  await page.getByRole('button', { name: 'New cron job' }).click();
  const form = page.getByRole('dialog', { name: 'New cron job' });
  await form.getByLabel('Name').fill('Clean up');
  await form.getByLabel('Command').fill('node -p 40+2');
  await form.getByText('Every day at 03:00').last().waitFor();
  await picture(page, 'job-form');
  await expectSound(page);
  await form.getByRole('button', { name: 'Create cron job' }).click();
  await page.getByRole('button', { name: 'Run Clean up now' }).click();
  const run = page.getByRole('dialog', { name: 'Clean up' });
  await run.getByText('Succeeded').waitFor();
  await run.getByRole('log').getByText('42').waitFor();
  await picture(page, 'job-run');
  await expectSound(page);
  const narrow = await stage.open(`/projects/${project?.id}/jobs`, {
    as: ada,
    viewport: NARROW,
    theme: 'light',
  });
  await narrow.getByText('node -p 40+2').first().waitFor();
  await picture(narrow, 'jobs-narrow-light');
  await expectSound(narrow);

  await page.goto(`${stage.origin}/projects/${project?.id}/terminal`);
  const shell = page.getByRole('textbox', { name: /^Terminal/ });
  await shell.pressSequentially('echo $((6*7))-from-the-shell\n');
  await page.getByText('42-from-the-shell').waitFor();
  await picture(page, 'terminal');
  await expectSound(page);
  await shell.press('Escape');
  await shell.press('Tab');
  expect(await shell.evaluate((element) => element === document.activeElement)).toBe(false);
  // The shell takes Escape and the next key for one.
  await shell.press('Enter');
  await shell.pressSequentially('exit\n');
  await page.getByText('The session has ended.').waitFor();
  const light = await stage.open(`/projects/${project?.id}/terminal`, {
    as: ada,
    viewport: NARROW,
    theme: 'light',
  });
  await light
    .getByText(/greeter:/)
    .first()
    .waitFor();
  await picture(light, 'terminal-narrow-light');
});

test('the log replays after a reload and goes on', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const page = await stage.open(`/projects/${project?.id}/log`, { as: ada });
  await page.getByText('green words').first().waitFor();
  await picture(page, 'project-log');
  await expectSound(page);
  await page.reload();
  await page.getByText('green words').first().waitFor();
  const narrow = await stage.open(`/projects/${project?.id}/log`, {
    as: ada,
    viewport: NARROW,
    theme: 'light',
  });
  await narrow.getByText('green words').first().waitFor();
  await picture(narrow, 'project-log-narrow-light');
  await expectSound(narrow);
});

test('a long log keeps its end in sight until one scrolls up, and finds lines', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const page = await stage.open(`/projects/${project?.id}/log`, { as: ada });
  const log = page.getByRole('log', { name: 'Deployment log' });
  const lastWords = log.getByText('green words');
  await lastWords.waitFor();
  expect(await lastWords.getAttribute('class')).toContain('ansi-green-fg');
  expect(await log.locator('[data-stream]').count()).toBeLessThan(200);

  const latest = page.getByRole('button', { name: 'Jump to latest' });
  expect(await latest.count()).toBe(0);
  await log.focus();
  await page.keyboard.press('Home');
  await log.getByText('line 1', { exact: true }).waitFor();
  expect(await lastWords.count()).toBe(0);
  await latest.click();
  await lastWords.waitFor();
  await expect.poll(() => latest.count()).toBe(0);

  const search = page.getByRole('searchbox', { name: 'Search the log' });
  await search.fill(`LINE ${LINES}`);
  await page.getByText(/^1 of 3,\d\d\d lines$/).waitFor();
  expect(await log.locator('mark').allTextContents()).toEqual([`line ${LINES}`]);
  // What a program writes is text, whatever it looks like.
  await search.fill('<b>');
  await log.locator('[data-stream=stderr]').getByText('<b>').waitFor();
});

test('a project without a repository is sent to its settings, which tell faults beside the fields', async () => {
  const { id } = await ada.rpc.projects.create.mutate({ name: 'Bare' });
  const page = await stage.open(`/projects/${id}`, { as: ada });
  await page.getByText('Deploy from your local computer').waitFor();
  await picture(page, 'project-bare');
  await page.getByRole('link', { name: 'Add a repository' }).click();
  expect(await page.getByRole('button', { name: 'Deploy', exact: true }).isDisabled()).toBe(true);
  const save = page.getByRole('button', { name: 'Save' });
  const path = page.getByLabel('Health path');
  await path.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await path.fill('up');
  await save.click();
  await page.getByText('Enter a path like /healthz, without a query string.').first().waitFor();
  await path.fill('/up');
  await save.click();
  await page.getByText('Project saved').first().waitFor();
  expect((await ada.rpc.projects.get.query({ id })).healthPath).toBe('/up');
  await expect.poll(() => save.isDisabled()).toBe(true);
  await ada.rpc.projects.remove.mutate({ id });
});

test('variables are written, never read back', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const page = await stage.open(`/projects/${project?.id}/environment`, { as: ada });
  await page.getByRole('textbox', { name: /^Name/ }).fill('API_KEY');
  await page.getByLabel(/^Value/).fill('hush-hush-value');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('cell', { name: 'API_KEY' })
    .or(page.getByText('API_KEY', { exact: true }))
    .first()
    .waitFor();
  await page.getByText('Saved. Values are never shown again.').first().waitFor();
  expect(await page.getByLabel(/^Value/).inputValue()).toBe('');
  await page.reload();
  await page.getByText('API_KEY', { exact: true }).first().waitFor();
  expect(await page.content()).not.toContain('hush-hush-value');
  await page.getByText('Changes take effect on the next restart or deployment').waitFor();
  expect(await page.getByRole('button', { name: 'Deploy', exact: true }).count()).toBe(2);
  await picture(page, 'project-environment');
  await expectSound(page);
  await page.getByRole('button', { name: 'Delete API_KEY' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Delete variable' }).click();
  await page.getByText('No environment variables yet').waitFor();

  // Many at once, from the text of a file that is pasted into the name.
  await page.getByRole('textbox', { name: /^Name/ }).focus();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, 'export MAIL_HOST=mail.example.com\nMAIL_KEY="hush-hush\nvalue" # not for logs\n');
  await page.getByRole('button', { name: 'Show value of MAIL_HOST' }).click();
  await picture(page, 'project-environment-rows');
  await expectSound(page);
  await page.getByRole('button', { name: 'Save 2 variables' }).click();
  await page.getByRole('cell', { name: 'MAIL_HOST', exact: true }).waitFor();
  expect((await ada.rpc.projects.variables.query({ id: project?.id ?? '' })).length).toBe(2);

  // One of them comes of a group as well, which says so on both pages.
  await page.getByRole('link', { name: 'Create one' }).click();
  const making = page.getByRole('dialog', { name: 'New Variable Group' });
  await making.getByRole('textbox').fill('Mail');
  await page.keyboard.press('Enter');
  await page.getByText('No project uses this group yet').waitFor();
  await page.getByRole('textbox', { name: /^Name/ }).fill('MAIL_KEY');
  await page.getByRole('button', { name: 'Insert reference' }).click();
  await page.getByRole('menuitem', { name: /^\${{projects\./ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: /^projects\./ }).waitFor();
  await picture(page, 'variable-group');
  await expectSound(page);
  await page.goto(`${stage.origin}/projects/${project?.id}/environment`);
  await page.getByRole('combobox', { name: 'Link a group' }).click();
  await page.getByRole('option', { name: 'Mail (1 variable)' }).click();
  await page.getByText('Overrides Mail').waitFor();
  await picture(page, 'project-environment-group', true);
  await expectSound(page);
});

test('a branch that is pushed has a preview, which its project lists and the push hook tells of', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const { id = '' } = project ?? {};
  const { secret } = await ada.rpc.pushHooks.renewSecret.mutate({ id });
  const page = await stage.open(`/projects/${id}/settings`, { as: ada });
  const section = page.getByRole('region', { name: 'Previews' });
  await section.getByRole('switch', { name: 'Deploy previews' }).click();
  await section.getByRole('button', { name: 'Save previews' }).click();
  await page.getByText('Previews saved').first().waitFor();

  const told = await fetch(`${stage.origin}/api/hooks/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ branch: 'feature/cart', commit: 'c0ffee'.repeat(5) }),
  });
  expect(await told.json()).toMatchObject({ result: 'deployed' });
  const [preview] = await ada.rpc.previews.list.query({ id });
  // There is no such branch, which is soon found out.
  await reached(preview?.id ?? '', 'failed');
  for (const visit of [
    { name: 'dark' },
    { name: 'narrow-light', theme: 'light' as const, viewport: NARROW },
  ]) {
    const visitor = await stage.open(`/projects/${id}`, { as: ada, ...visit });
    const list = visitor.getByRole('region', { name: 'Previews' });
    await list.getByText('Failed', { exact: true }).waitFor();
    const link = list.getByRole('link', { name: 'feature/cart', exact: true });
    expect(await link.getAttribute('href')).toBe(`/projects/${preview?.id}`);
    await picture(visitor, `project-previews-${visit.name}`, true);
    await expectSound(visitor);
    await visitor.goto(`${stage.origin}/projects/${id}/settings`);
    const hook = visitor.getByRole('region', { name: 'Push hook' });
    const log = hook.getByRole('link', { name: 'Build log' });
    expect(await log.first().getAttribute('href')).toContain(`/projects/${preview?.id}/log?`);
    await visitor.getByLabel('Previews at once').waitFor();
    await picture(visitor, `project-previews-settings-${visit.name}`, true);
    await expectSound(visitor);
  }
  await ada.rpc.projects.remove.mutate({ id: preview?.id ?? '' });
});

test('an app answers at a domain of its own once the proof is seen', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const { id = '', slug = '' } = project ?? {};
  const page = await stage.open(`/projects/${id}/settings`, { as: ada, viewport: NARROW });
  const domains = page.getByRole('region', { name: 'Domains' });
  await domains.getByRole('button', { name: 'Add domain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add domain' });
  await dialog.getByLabel('Domain').fill('Shop.example.test');
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await domains.getByText('_nephos.shop.example.test', { exact: true }).waitFor();
  await picture(page, 'project-domain-pending', true);
  await expectSound(page);

  const [added] = (await ada.rpc.customDomains.list.query({ id })).domains;
  texts = [added?.verification.value ?? ''];
  await domains.getByRole('button', { name: 'Check again: shop.example.test' }).click();
  await domains.getByText('Active', { exact: true }).waitFor();
  await expect.poll(() => askHost('shop.example.test')).toEqual(await askApp(slug));
  await page.setViewportSize(WIDE);
  await picture(page, 'project-domain', true);
  await expectSound(page);
});

test('deleting a project asks for its name, and the app is gone', async () => {
  const [project] = await ada.rpc.projects.list.query();
  const page = await stage.open(`/projects/${project?.id}`, { as: ada });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog')).first();
  const confirm = dialog.getByRole('button', { name: 'Delete project' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Greeter');
  await picture(page, 'project-delete');
  await expectSound(page);
  await confirm.click();
  await page.getByText('No projects yet').waitFor();
  await expect.poll(async () => (await askApp('greeter')).status).toBe(404);
});
