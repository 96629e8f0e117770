// Prints what an app of two instances on Docker loses under load while the console, the daemon, or all of the machine goes away.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AppRouter } from '@nephos/contracts';
import type { TRPCClient } from '@trpc/client';
import { LABELS } from '../src/domains/deployments/engine/container/names.ts';
import { type DockerDaemon, startDockerDaemon } from '../test/docker-daemon.ts';
import { createKillableServer, type KillableServer } from '../test/killable-server.ts';
import { measureOutage, SERVER } from './outage.ts';

const run = promisify(execFile);

const INSTANCES = 2;
const DEPLOY_MS = 120_000;

const FILES = {
  Dockerfile:
    'FROM test-base:latest\nCOPY server.js /app/\nWORKDIR /app\nENV PATH=/bin\nCMD ["node", "server.js"]\n',
  'server.js': SERVER,
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

async function containersOf({ daemon, projectId }: Stage): Promise<number> {
  const filters = { label: [`${LABELS.project}=${projectId}`] };
  return (await daemon.docker.listContainers({ all: true, filters })).length;
}

function measure(stage: Stage, name: string, outage: () => Promise<void>): Promise<void> {
  const { console, slug } = stage;
  const app = { port: console.port, slug, instances: INSTANCES, containers: () => containersOf(stage) };
  return measureOutage(app, name, outage);
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
