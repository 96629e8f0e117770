import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp, nodeApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld, type EngineWorldOptions } from './engine-world.ts';
import { holdsProcesses } from './holds-processes.ts';
import { escapee, pidsOf, processesOf, uniqueSleep } from './running-processes.ts';

const MB = 1024 ** 2;

let git: GitServer;
const worlds: EngineWorld[] = [];

beforeAll(async () => {
  git = await startGitServer();
});

afterAll(async () => {
  await Promise.all(worlds.map((world) => world.close()));
  await git.close();
});

async function build(name: string, script: string, limits: EngineWorldOptions['limits']) {
  const world = await createEngineWorld({ limits });
  worlds.push(world);
  const packageJson = { scripts: { build: 'node build.js', start: 'node server.js' } };
  await git.createRepository(name, { ...helloApp('x', { packageJson }), 'build.js': script });
  const { outcome, job } = await world.deploy(world.project(git.url(name)));
  expect(await processesOf(job.deploymentId)).toEqual([]);
  return outcome;
}

it('stops a build that takes too long', async () => {
  const outcome = await build('slow', 'setInterval(() => {}, 1000)', { buildTime: 1000 });
  expect(outcome).toEqual({
    status: 'failed',
    step: 'build',
    error: 'Build failed: npm run build was stopped because it took more than 1 second.',
  });
});

it('stops a build that takes too much memory', async () => {
  // A file where the caches of its tools would be kept: what is done after the build fails as well.
  const script = `require('node:fs').writeFileSync(require('node:path').dirname(process.env.XDG_CACHE_HOME) + '/tools', '');
const all = []; setInterval(() => all.length < 50 && all.push(Buffer.alloc(20e6, 1)), 20)`;
  // Where the kernel holds it, it is over before anybody has looked.
  const outcome = await build('greedy', script, { buildMemory: 400 * MB, sampleTime: 8000 });
  expect(outcome).toMatchObject({
    step: 'build',
    error: expect.stringMatching(
      /^Build failed: npm run build was stopped because it (ran out of memory \(400 MB\)|used more than 400 MB of memory)\.$/,
    ),
  });
});

it('stops a build that takes too much disk', async () => {
  const script = `let n = 0;
setInterval(() => require('node:fs').writeFileSync('file' + n++, Buffer.alloc(5e6, 1)), 20)`;
  const outcome = await build('large', script, { buildBytes: 30 * MB, cacheBytes: 0 });
  expect(outcome).toMatchObject({
    step: 'build',
    error: 'Build failed: npm run build was stopped because it used more than 30 MB of disk.',
  });
});

it('keeps for the next build what is hardest to have back, within its bound, until it is told not to', async () => {
  const world = await createEngineWorld({ limits: { cacheBytes: 20 * MB } });
  worlds.push(world);
  const script = `const fs = require('node:fs');
const sizes = { [process.env.YARN_CACHE_FOLDER]: 15e6, [process.env.npm_config_cache]: 10e6, 'node_modules/.cache': 4e6 };
const kept = Object.keys(sizes).map((folder) => fs.existsSync(folder + '/kept'));
fs.writeFileSync('built', String(kept));
for (const [folder, size] of Object.entries(sizes)) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(folder + '/kept', Buffer.alloc(size, 1));
}`;
  const packageJson = { scripts: { build: 'node build.js', start: 'node server.js' } };
  const files = nodeApp("response.end(require('node:fs').readFileSync('built'));", { packageJson });
  await git.createRepository('keeps', { ...files, 'build.js': script });
  const project = world.project(git.url('keeps'));
  await world.deploy(project);
  expect(await world.ask(project)).toMatchObject({ text: 'false,false,false' });
  const again = { ...project, buildVariables: { NEW: '1' } };
  await world.deploy(again);
  expect(await world.ask(project)).toMatchObject({ text: 'false,true,true' });
  await world.deploy({ ...again, clearCache: true });
  expect(await world.ask(project)).toMatchObject({ text: 'false,false,false' });
});

it.runIf(holdsProcesses)('stops a build that runs too many processes, also those that left it', async () => {
  const sleep = uniqueSleep();
  const script = `for (let n = 0; n < 30; n++) ${escapee(sleep)}
setInterval(() => {}, 1000)`;
  const outcome = await build('forks', script, { processes: 20 });
  expect(outcome).toMatchObject({
    step: 'build',
    error: 'Build failed: npm run build was stopped because it ran more than 20 processes.',
  });
  expect(await pidsOf(sleep)).toEqual([]);
});

const MISBEHAVE = '/misbehave';

/** It behaves until it is asked to do otherwise: how long a start takes is the machine's affair. */
function appThat(misbehaves: string) {
  return nodeApp(`if (request.url === '${MISBEHAVE}') { ${misbehaves} } response.end('x');`);
}

it('stops a repository that is too large', async () => {
  const world = await createEngineWorld({ limits: { cloneBytes: 2 * MB } });
  worlds.push(world);
  const noise = Buffer.alloc(12e6);
  for (let index = 0; index < noise.length; index += 4) noise.writeUInt32LE(Math.random() * 2 ** 32, index);
  await git.createRepository('huge', { 'noise.bin': noise });
  const { outcome } = await world.deploy(world.project(git.url('huge')));
  const error = 'Failed to clone the repository: it used more than 2 MB of disk.';
  expect(outcome).toMatchObject({ status: 'failed', step: 'clone', error });
});

it.runIf(holdsProcesses)(
  'restarts a running app that takes too much memory, also by what left it',
  async () => {
    const world = await createEngineWorld({ limits: { appMemory: 200 * MB, restartDelay: 10 } });
    worlds.push(world);
    const code =
      'const all=[];setInterval(()=>all.length<25&&all.push(Buffer.alloc(20e6,1)),20);setTimeout(()=>process.exit(),60000)';
    await git.createRepository('leaks', appThat(escapee('node HOG').replace('"HOG"', `"-e","${code}"`)));
    const project = world.project(git.url('leaks'));
    const { outcome, log } = await world.deploy(project);
    expect(outcome).toEqual({ status: 'running' });
    await world.ask(project, MISBEHAVE);
    await expect.poll(log).toMatch(/used more than 200 MB of memory|ran out of memory \(200 MB\)/);
  },
);

it('stops a running app that takes too much disk', async () => {
  const world = await createEngineWorld({
    limits: { appBytes: 30 * MB, appDiskTime: 100, restartDelay: 10, crashes: 2 },
  });
  worlds.push(world);
  const write = `require('node:fs').writeFileSync(process.env.HOME + '/' + n++, Buffer.alloc(5e6, 1))`;
  await git.createRepository('hoards', appThat(`let n = 0; setInterval(() => ${write}, 20);`));
  const project = world.project(git.url('hoards'));
  const { outcome, job, log } = await world.deploy(project);
  expect(outcome).toEqual({ status: 'running' });
  await world.ask(project, MISBEHAVE);
  const reason = 'The app was stopped: it used more than 30 MB of disk.';
  await expect.poll(log).toContain(`${reason} Restarting`);
  // What it wrote is still there, so it may be stopped before it listens again.
  const error =
    /was stopped: it used more than 30 MB of disk\..* It crashed 2 times and will not be restarted\.$/;
  await expect
    .poll(() => world.crashes)
    .toEqual([{ deploymentId: job.deploymentId, error: expect.stringMatching(error) }]);
});
