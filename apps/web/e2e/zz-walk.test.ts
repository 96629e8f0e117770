import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitServer, startGitServer } from '../../api/test/git-server.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

let stage: Stage;
let git: GitServer;
let ada: Person;
let id: string;
let crashed: string;
let group: string;
const ONLY = process.env.WALK?.split(',');
const LOOKS = [
  { look: 'wd', viewport: WIDE },
  { look: 'wl', viewport: WIDE, theme: 'light' as const },
  { look: 'nd', viewport: NARROW },
  { look: 'nl', viewport: NARROW, theme: 'light' as const },
].filter(({ look }) => !process.env.LOOKS || process.env.LOOKS.split(',').includes(look));

const SERVER = `
let n = 0;
require('node:http').createServer((q, r) => {
  console.log('\\u001b[32m' + q.method + '\\u001b[0m ' + q.url + ' 200');
  if (q.url === '/bad') { r.statusCode = 500; console.error('TypeError: order is undefined'); }
  r.end('Hello');
}).listen(process.env.PORT, () => console.log('Listening on ' + process.env.PORT));
`;
const CRASH = `
require('node:http').createServer((q, r) => {
  r.end('bye');
  if (q.url === '/die') { console.error('Error: the database is gone\\n    at handle (server.js:4:9)'); process.exit(3); }
}).listen(process.env.PORT);
`;

async function reached(projectId: string, status = 'running') {
  await expect
    .poll(async () => (await ada.rpc.deployments.list.query({ id: projectId }))[0]?.status, { timeout: 90_000, interval: 300 })
    .toBe(status);
}

beforeAll(async () => {
  stage = await createStage();
  git = await startGitServer();
  ada = await stage.world.as('Ada');
  await git.createRepository('shop', {
    'package.json': JSON.stringify({ name: 'shop', scripts: { start: 'node server.js', build: 'echo built' }, engines: { node: '>=18' }, dependencies: {} }),
    'server.js': SERVER,
    'worker.js': "setInterval(() => console.log('tick'), 1000)",
    'bad.js': "setTimeout(() => { console.error('cannot reach the queue'); process.exit(7) }, 300)",
    Procfile: 'web: node server.js\nmailer: node worker.js\nbroken: node bad.js\n',
  });
  await git.createRepository('dies', { 'package.json': JSON.stringify({ name: 'dies', scripts: { start: 'node server.js' } }), 'server.js': CRASH });
  const made = await ada.rpc.variableGroups.create.mutate({ name: 'Mail', variables: [{ name: 'MAIL_HOST', value: 'x' }, { name: 'API_KEY', value: 'y' }] });
  group = made.id;
  const project = await ada.rpc.projects.create.mutate({
    name: 'Shop',
    description: 'Sells things to people who need them, quickly.',
    repositoryUrl: git.url('shop'),
    variables: [
      { name: 'API_KEY', value: 'hush' },
      { name: 'PUBLIC_BASE_URL_OF_THE_STOREFRONT_APPLICATION', value: 'https://example.com/a', scope: 'build' },
    ],
    newDatabase: { name: 'shop' },
  });
  id = project.id;
  await ada.rpc.variableGroups.link.mutate({ id, groupId: group });
  await reached(id);
  const other = await ada.rpc.projects.create.mutate({ name: 'Dies', repositoryUrl: git.url('dies') });
  crashed = other.id;
  await reached(crashed);
  await ada.rpc.appRuns.createJob.mutate({ id, name: 'Nightly cleanup', command: 'node -p 40+2', schedule: '0 3 * * *', timeZone: 'Asia/Tokyo', timeLimit: 900, enabled: true, catchUp: true });
  await ada.rpc.appRuns.createJob.mutate({ id, name: 'Always fails', command: 'node -e "console.error(1);process.exit(4)"', schedule: '*/5 * * * *', timeZone: 'UTC', timeLimit: 60, enabled: true, catchUp: false });
  for (const job of await ada.rpc.appRuns.jobs.query({ id })) await ada.rpc.appRuns.runJob.mutate({ id: job.id });
  await ada.rpc.appRuns.runCommand.mutate({ id, command: 'ls -la && env | sort | head', timeLimit: 60 });
  const { port } = new URL(stage.origin);
  const { request } = await import('node:http');
  const ask = (slug: string, path: string) =>
    new Promise((resolve) => {
      request({ host: '127.0.0.1', port, path, headers: { host: `${slug}.localhost:${port}` } }, (r) => { r.resume(); r.on('end', resolve); }).on('error', resolve).end();
    });
  for (let n = 0; n < 60; n += 1) await ask('shop', n % 10 ? `/orders/${n}` : '/bad');
  for (let n = 0; n < 8; n += 1) { await ask('dies', '/die'); await new Promise((r) => setTimeout(r, 700)); }
  await new Promise((r) => setTimeout(r, Number(process.env.SETTLE ?? 5000)));
}, 240_000);

afterAll(async () => {
  await stage.close();
  await git.close();
});

const refused = process.env.REFUSED;

async function shot(name: string, path: string, act?: (page: Awaited<ReturnType<Stage['open']>>) => Promise<unknown>, full = true) {
  if (ONLY && !ONLY.includes(name)) return;
  for (const { look, ...visit } of LOOKS) {
    const page = await stage.open(refused ? '/healthz' : path, { as: ada, ...visit });
    if (refused) {
      await page.route('**/trpc/**', async (route) => {
        if (!route.request().url().includes('projects.runtimes')) return route.continue();
        const answer = await route.fetch();
        const text = (await answer.text()).replaceAll(/"available":true,"reason":""/g, `"available":false,"reason":"Only admins can deploy on this server, because apps run without a sandbox. Set ALLOW_PROCESS_RUNTIME=1 to allow everyone."`);
        await route.fulfill({ response: answer, body: text });
      });
      await page.goto(stage.origin + path);
    }
    await page.waitForLoadState('networkidle').catch(() => {});
    await page.waitForTimeout(400);
    try {
      await act?.(page);
      await page.waitForTimeout(200);
    } catch (error) {
      console.log(name, look, String(error).slice(0, 300));
    }
    await picture(page, `walk-${name}-${look}`, full);
    try {
      await expectSound(page);
    } catch (error) {
      console.log('AXE', name, look, String(error).slice(0, 1500));
    }
    await page.context().close();
  }
}

test('walk', async () => {
  await shot('list', '/');
  await shot('new', '/?new=1', async (page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Variables and database').click();
    const name = dialog.getByRole('list', { name: 'Variables to set' }).getByLabel('Name');
    await name.focus();
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, 'A_KEY=secretvalue\n1B=oops\nMULTI="one\ntwo"\nURL=${{databases.shop.url}}\nHASH=ab#cd');
    await name.first().scrollIntoViewIfNeeded();
  }, false);
  await shot('project', `/projects/${id}`);
  await shot('crashed', `/projects/${crashed}`);
  await shot('settings', `/projects/${id}/settings`);
  await shot('processes', `/projects/${id}/processes`);
  await shot('process-dialog', `/projects/${id}/processes`, async (page) => page.getByRole('button', { name: /Edit web/ }).click(), false);
  await shot('worker-dialog', `/projects/${id}/processes`, async (page) => page.getByRole('button', { name: 'Add worker' }).click(), false);
  await shot('disk-dialog', `/projects/${id}/processes`, async (page) => page.getByRole('button', { name: 'Add disk' }).click(), false);
  await shot('jobs', `/projects/${id}/jobs`);
  await shot('job-dialog', `/projects/${id}/jobs`, async (page) => page.getByRole('button', { name: 'New cron job' }).click(), false);
  await shot('command-dialog', `/projects/${id}/jobs`, async (page) => page.getByRole('button', { name: 'Run a command' }).click(), false);
  await shot('run-dialog', `/projects/${id}/jobs`, async (page) => page.getByRole('button', { name: /View output/ }).last().click(), false);
  await shot('terminal', `/projects/${id}/terminal`, async (page) => page.waitForTimeout(1500));
  await shot('environment', `/projects/${id}/environment`);
  await shot('env-rows', `/projects/${id}/environment`, async (page) => {
    await page.getByRole('textbox', { name: /^Name/ }).fill('API_KEY');
    await page.getByRole('button', { name: 'Add another' }).click();
    await page.getByRole('textbox', { name: /^Name/ }).last().fill('9X');
    await page.getByLabel('Value').last().fill('x');
  });
  await shot('groups', '/variable-groups');
  await shot('group', `/variable-groups/${group}`);
  await shot('logs', `/projects/${id}/logs`);
  await shot('logs-custom', `/projects/${id}/logs?since=2026-11-20T10:00:00Z&process=web`);
  await shot('metrics', `/projects/${id}/metrics`);
  await shot('log', `/projects/${id}/log`);
  await shot('admin', '/admin?tab=engines');
  if (!ONLY || ONLY.includes('disks')) {
    await ada.rpc.disks.add.mutate({ id, name: 'data', path: '/data' }).catch(() => ada.rpc.disks.add.mutate({ id, name: 'data', path: 'data' }));
    await shot('disks', `/projects/${id}/processes`);
  }
}, 900_000);
