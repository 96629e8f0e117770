// Prints what an app of two instances on Docker loses under load while the console, the daemon, or all of the machine goes away.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AppRouter } from '@nephos/contracts';
import type { TRPCClient } from '@trpc/client';
import { LABELS } from '../src/domains/deployments/engine/container/names.ts';
import { type DockerDaemon, startDockerDaemon } from '../test/docker-daemon.ts';
import { createKillableServer, type KillableServer } from '../test/killable-server.ts';
import { failuresOf, startLoad } from './switch.ts';

const run = promisify(execFile);

const INSTANCES = 2;
const PER_SECOND = 100;
const BEFORE_MS = 2000;
/** For so long an outage is looked at after its end, in which what is wrong would show. */
const AFTER_MS = 5000;
const DEPLOY_MS = 120_000;
const WHOLE_MS = 60_000;
/** So many answers in a row that are right, of all instances, tell that routes are. */
const ANSWERS = 20;

const FILES = {
  Dockerfile:
    'FROM test-base:latest\nCOPY server.js /app/\nWORKDIR /app\nENV PATH=/bin\nCMD ["node", "server.js"]\n',
  'server.js': `const name = String(Math.random());
process.on('SIGTERM', () => process.exit(0));
require('node:http').createServer((request, response) => response.end(name)).listen(process.env.PORT, process.env.HOST);
`,
};

interface Stage {
  daemon: DockerDaemon;
  console: KillableServer;
  client: TRPCClient<AppRouter>;
  projectId: string;
  slug: string;
}

async function createRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-outages-'));
  await chmod(folder, 0o755);
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  await run('git', ['-C', folder, 'init', '--quiet', '--initial-branch=main']);
  await run('git', ['-C', folder, 'add', '.']);
  await run('git', ['-C', folder, ...identity, 'commit', '--quiet', '--message=Bench']);
  return folder;
}

async function deploy(client: Stage['client'], folder: string) {
  const web = { name: 'web', command: '', instances: INSTANCES, memory: null, cpu: null, tasks: null };
  const { id, slug } = await client.projects.create.mutate({
    name: 'Bench',
    repositoryUrl: `file://${folder}`,
    settings: { processes: [web] },
  });
  for (const deadline = Date.now() + DEPLOY_MS; Date.now() < deadline; await wait(200)) {
    const { latestDeployment } = await client.projects.get.query({ id });
    if (latestDeployment?.status === 'running') return { projectId: id, slug };
    if (latestDeployment?.status === 'failed') {
      const { error } = await client.deployments.get.query({ id: latestDeployment.id });
      throw new Error(error ?? 'the deployment failed');
    }
  }
  throw new Error('the deployment did not run in time');
}

/** What an instance says of itself; undefined where the answer is not an instance's. */
function ask({ console: { port }, slug }: Stage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { host: `${slug}.localhost:${port}` };
    get({ host: '127.0.0.1', port, headers, agent: false, timeout: 1000 }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve(response.statusCode === 200 ? text : undefined);
    })
      .on('error', () => resolve(undefined))
      .on('timeout', () => resolve(undefined));
  });
}

/** Whether all instances answer, and nothing else does. */
async function isWhole(stage: Stage): Promise<boolean> {
  const answers = await Promise.all(Array.from({ length: ANSWERS }, () => ask(stage)));
  return !answers.includes(undefined) && new Set(answers).size === INSTANCES;
}

async function containersOf({ daemon, projectId }: Stage): Promise<number> {
  const filters = { label: [`${LABELS.project}=${projectId}`] };
  return (await daemon.docker.listContainers({ all: true, filters })).length;
}

async function measure(stage: Stage, name: string, outage: () => Promise<void>): Promise<void> {
  const { port } = stage.console;
  const load = startLoad({ port, host: `${stage.slug}.localhost:${port}`, perSecond: PER_SECOND });
  await wait(BEFORE_MS);
  const begun = Date.now();
  await outage();
  const over = Date.now();
  while (!(await isWhole(stage))) {
    if (Date.now() - over > WHOLE_MS) throw new Error(`${name}: the app is not back`);
    await wait(50);
  }
  const whole = Date.now();
  await wait(AFTER_MS);
  const { sent, failures, slowest } = await load.stop();
  const containers = await containersOf(stage);
  const isStill = await isWhole(stage);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  process.stdout.write(
    `${name}: ${failuresOf(failures, sent)} requests failed, the slowest took ${slowest} ms; ` +
      `away for ${seconds(over - begun)} s, routes right ${seconds(whole - over)} s later; ` +
      `${containers} containers of ${INSTANCES} instances${isStill ? '' : ', which do not all answer'} ` +
      `(load ${loadavg()[0]?.toFixed(1)})\n`,
  );
}

/** Ends all that runs in containers, as where a machine's power goes. */
async function endContainers({ daemon }: Stage, pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await wait(daemon ? 500 : 0);
}

async function pidsOf({ daemon: { docker } }: Stage): Promise<number[]> {
  const found = await docker.listContainers();
  const all = await Promise.all(found.map(({ Id }) => docker.getContainer(Id).inspect()));
  return all.map(({ State }) => State.Pid).filter((pid) => pid > 0);
}

const daemon = await startDockerDaemon();
const folder = await createRepository();
const console = await createKillableServer({
  DEPLOY_RUNTIME: 'docker',
  DOCKER_HOST: daemon.host,
  BILLING: 'off',
});
try {
  await console.start();
  const client = await console.signUp();
  const stage = { daemon, console, client, ...(await deploy(client, folder)) };
  await measure(stage, 'console restarted', async () => {
    await console.stop();
    await console.start();
  });
  await measure(stage, 'console killed', async () => {
    await console.kill();
    await console.start();
  });
  await measure(stage, 'daemon restarted, containers kept', () => daemon.restart('SIGTERM'));
  await measure(stage, 'daemon killed, containers kept', () => daemon.restart('SIGKILL'));
  await measure(stage, 'daemon restarted, containers not kept', () =>
    daemon.restart('SIGTERM', { liveRestore: false }),
  );
  await measure(stage, 'console and daemon killed', async () => {
    await console.kill();
    await daemon.restart('SIGKILL');
    await console.start();
  });
  await measure(stage, 'machine rebooted', async () => {
    const pids = await pidsOf(stage);
    await console.killAll();
    await daemon.restart('SIGKILL', { liveRestore: false, meanwhile: () => endContainers(stage, pids) });
    await console.start();
  });
} finally {
  await console.close();
  await daemon.close();
  await rm(folder, { recursive: true, force: true });
}
