import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { nodeApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

let git: GitServer;
let world: EngineWorld;
const isRoot = process.getuid?.() === 0;

beforeAll(async () => {
  process.env.OUR_SECRET = 'do-not-leak';
  git = await startGitServer();
  world = await createEngineWorld();
});

afterAll(async () => {
  delete process.env.OUR_SECRET;
  await world.close();
  await git.close();
});

const ALLOWED = [
  ...[
    'HOME',
    'HOST',
    'LANG',
    'LOGNAME',
    'NODE_ENV',
    'NODE_EXTRA_CA_CERTS',
    'PATH',
    'PORT',
    'PWD',
    'PYTHONUNBUFFERED',
  ],
  ...['TMPDIR', 'USER', 'NEPHOS_INSTANCE', 'npm_config_update_notifier'],
];

it('gives an app its own variables, and none of ours', async () => {
  const build = `require('node:fs').writeFileSync('build-env.json', JSON.stringify(process.env))`;
  await git.createRepository('environment', {
    ...nodeApp('response.end(JSON.stringify([process.env, require("./build-env.json"), process.cwd()]));', {
      packageJson: { scripts: { build: 'node build.js', start: 'node server.js' } },
    }),
    'build.js': build,
  });
  const variables = {
    GREETING: 'hello $HOME "x"',
    NODE_OPTIONS: '--no-warnings',
    HOME: '/etc',
    PORT: '1',
    LD_BIND_NOW: '1',
  };
  const project = world.project(git.url('environment'), { variables });
  const { outcome, log } = await world.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  const [env, buildEnv, folder] = JSON.parse((await world.ask(project)).text);
  expect(env.GREETING).toBe(variables.GREETING);
  expect(buildEnv.GREETING).toBe(variables.GREETING);
  expect([env.LD_BIND_NOW, buildEnv.LD_BIND_NOW]).toEqual(['1', '1']);
  expect(env.HOME).not.toBe('/etc');
  expect(env.PORT).not.toBe('1');
  expect(folder.startsWith(world.dataDir)).toBe(true);
  const unexpected = Object.keys(env).filter((name) => !ALLOWED.includes(name) && !(name in variables));
  expect(unexpected).toEqual([]);
  expect(JSON.stringify([env, buildEnv])).not.toContain('do-not-leak');
  expect(buildEnv.NODE_ENV).toBeUndefined();
});

it.runIf(isRoot)('runs each project as an account of its own, without privileges', async () => {
  const code = `const { execFileSync } = require('node:child_process');
const read = (file) => { try { return require('node:fs').readFileSync(file, 'utf8') } catch (error) { return error.code } };
const path = new URL(request.url, 'http://x').searchParams.get('file');
response.end(JSON.stringify({
  uid: process.getuid(), groups: process.getgroups(), file: path && read(path),
  shadow: read('/etc/shadow'), server: read('/proc/${process.pid}/environ'),
  status: read('/proc/self/status').match(/NoNewPrivs:\\s*(\\d)/)[1], limits: read('/proc/self/limits'),
  self: __filename,
}));`;
  await git.createRepository('spy', nodeApp(code));
  const [one, two] = [world.project(git.url('spy')), world.project(git.url('spy'))];
  await world.deploy(one);
  await world.deploy(two);
  const first = JSON.parse((await world.ask(one)).text);
  const path = `/?file=${encodeURIComponent(first.self)}`;
  const second = JSON.parse((await world.ask(two, path)).text);
  expect(first.uid).toBeGreaterThanOrEqual(20_000);
  expect(second.uid).not.toBe(first.uid);
  // In a sandbox they are not even there.
  const refused = expect.stringMatching(/^E(ACCES|NOENT)$/);
  expect(second).toMatchObject({ file: refused, shadow: refused, server: refused, status: '1' });
  // One that is nobody else's, by which its processes are told.
  expect(first.groups).toHaveLength(1);
  expect(second.groups).toHaveLength(1);
  expect(second.groups).not.toEqual(first.groups);
  expect(second.limits).toMatch(/Max core file size\s+0\s+0/);
});

it.runIf(isRoot)('keeps a build from what the account may not read', async () => {
  const files = nodeApp('response.end(require("./stolen.json"))', {
    packageJson: { scripts: { build: 'node steal.js', start: 'node server.js' } },
  });
  const steal = `const fs = require('node:fs');
let found = 'nothing';
try { found = fs.readdirSync(process.env.HOME + '/../../../..').join() } catch (error) { found = error.code }
fs.writeFileSync('stolen.json', JSON.stringify(found));`;
  await git.createRepository('thief', { ...files, 'steal.js': steal });
  const project = world.project(git.url('thief'));
  await world.deploy(project);
  expect(['EACCES', project.projectId]).toContain((await world.ask(project)).text);
});

it('clones a repository of this machine, owned by another account', async () => {
  await git.createRepository('local', nodeApp('response.end("local")'));
  const project = world.project(`file://${git.folder('local')}`);
  const { outcome, log } = await world.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  expect((await world.ask(project)).text).toBe('local');
});
