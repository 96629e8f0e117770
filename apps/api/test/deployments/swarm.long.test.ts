import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { keptImage, LABELS } from '../../src/domains/deployments/engine/container/names.ts';
import type { ContainerState } from '../../src/domains/deployments/engine/engine.ts';
import { releaseFolders } from '../../src/domains/deployments/engine/folders.ts';
import { hasDocker } from '../docker-daemon.ts';
import { startSwarm, type TestSwarm } from '../docker-swarm.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';

/** What a swarm does that one machine cannot show: instances on several, one of which is lost. */

const isHere = requireTool('dockerd') && requireTool('ip') && hasDocker();

const APP = {
  'server.js': `const name = String(Math.random());
process.on('SIGTERM', () => process.exit(0));
console.log('begins');
require('node:http').createServer((request, response) => {
  if (request.url === '/') return void response.end(name);
  const socket = require('node:net').connect(Number(request.url.slice(1)), 'nephos.internal');
  socket.on('error', (error) => response.end(error.message)).on('data', (data) => response.end(data));
}).listen(process.env.PORT, process.env.HOST);`,
  'busy.js': `process.on('SIGTERM', () => process.exit(0));
setInterval(() => { for (const end = Date.now() + 20; Date.now() < end; ); }, 100);`,
};

/** Writes its version to its disk, and ends where that is `bad`. */
const onDisk = (version: string) => ({
  'server.js': `const fs = require('node:fs');
fs.appendFileSync('/kept/starts', '${version} ');
if ('${version}' === 'bad') process.exit(1);
process.on('SIGTERM', () => process.exit(0));
require('node:http').createServer((_, response) => response.end(fs.readFileSync('/kept/starts')))
  .listen(process.env.PORT, process.env.HOST);`,
});

const WEB = { name: 'web', command: '', instances: 2, memory: null, cpu: null, tasks: null };
const SETTINGS = { ...DETECTED_SETTINGS, processes: [WEB] };
/** Its worker comes to the second machine, where less runs by then. */
const BUSY = {
  ...DETECTED_SETTINGS,
  processes: [
    { ...WEB, instances: 1 },
    { ...WEB, name: 'busy', command: 'node busy.js', instances: 1 },
  ],
};

describe.skipIf(!isHere)('a swarm of two machines', () => {
  let swarm: TestSwarm;
  let world: EngineWorld;
  let project: TestProject;
  let log: () => string;
  let database: Server;
  let port: number;
  /** Reference of its image. */
  let image: string;
  /** What is said of a daemon that is in no swarm yet. */
  let inNone: ContainerState;
  /** What all machines see of a share, as each of them mounts it. */
  let share: string;
  let diskApp: TestProject;

  const begin = (life: Partial<Parameters<typeof createEngineWorld>[0]> = {}) =>
    createEngineWorld({
      env: {
        ...{ DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: swarm.hosts[0], BASE_IMAGE_NODE: image },
        DISK_DRIVER_OPTIONS: `type=none,o=bind,device=${share}/{disk}`,
      },
      limits: { restartDelay: 20, workerTime: 300 },
      ports: [port],
      ...life,
    });

  beforeAll(async () => {
    share = await mkdtemp(join(tmpdir(), 'nephos-share-'));
    swarm = await startSwarm(2);
    database = createServer((socket) => socket.end('a database'));
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
    ({ port } = database.address() as AddressInfo);
    const [, host = ''] = swarm.hosts;
    const alone = await createEngineWorld({ env: { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: host } });
    inNone = alone.engine.containers();
    await alone.close();
    image = await swarm.addImage('app', APP);
    world = await begin();
    const cluster = world.engine.cluster;
    await swarm.join((await cluster?.joinCommand({ renew: false })) ?? '');
    await vi.waitFor(() => expect(instances()).toEqual([0, 0]), { timeout: 60_000 });
    project = world.project('', { image: { reference: image, credentials: null }, settings: SETTINGS });
    const deployment = await world.deploy(project);
    log = deployment.log;
    expect(deployment.outcome, log()).toEqual({ status: 'running' });
  });

  afterAll(async () => {
    await world?.close();
    await swarm?.close();
    database?.close();
    await rm(share, { recursive: true, force: true });
  });

  /** Of the machines that respond, this one first. */
  const instances = () =>
    world.engine.cluster
      ?.nodes()
      .filter(({ state }) => state === 'ready')
      .map((node) => node.instances);
  const services = async () =>
    (await swarm.dockers[0]?.listServices({ filters: { label: [LABELS.project] } })) ?? [];
  const states = () => world.engine.processes(project.projectId).map(({ state }) => state);
  async function names(path = '/', asked = 8): Promise<Set<string>> {
    const found = new Set<string>();
    for (let count = 0; count < asked; count++) found.add((await world.ask(project, path)).text);
    return found;
  }

  test('has an instance on each, both of which reach what they were given and are heard', async () => {
    expect(inNone).toMatchObject({
      available: false,
      reason: expect.stringMatching(/^DEPLOY_RUNTIME=swarm needs a swarm, .* Run "docker swarm init"/),
    });
    expect(instances()).toEqual([1, 1]);
    expect((await names()).size).toBe(2);
    expect(await names(`/${port}`)).toEqual(new Set(['a database']));
    await expect.poll(() => log().match(/begins/g)?.length).toBe(2);
  });

  test('shows what an instance on the other machine uses, as that tells whoever may know', async () => {
    const busy = world.project('', { image: { reference: image, credentials: null }, settings: BUSY });
    await using _ended = {
      async [Symbol.asyncDispose]() {
        world.live.delete(busy.projectId);
        await world.engine.removeProject(busy.projectId);
      },
    };
    const { outcome } = await world.deploy(busy);
    expect(outcome).toEqual({ status: 'running' });
    const [here, there] = world.engine.cluster?.nodes() ?? [];
    expect(world.engine.processes(busy.projectId)).toMatchObject([
      { process: 'web', node: here?.name },
      { process: 'busy', node: there?.name },
    ]);
    const figures = () =>
      world.figures
        .collect()
        .find(({ projectId, process }) => projectId === busy.projectId && process === 'busy');
    const [, second] = swarm.dockers;
    const only = async (name: string) => {
      const found = await second?.listContainers({ filters: { name: [name] } });
      expect(found).toHaveLength(1);
      return second?.getContainer(found?.[0]?.Id ?? '');
    };

    await expect.poll(figures).toBeDefined();
    const { memory_stats } = (await (await only(`${busy.slug}-busy`))?.stats({ stream: false })) ?? {};
    const files = memory_stats?.stats.total_inactive_file ?? memory_stats?.stats.inactive_file ?? 0;
    const memory = (memory_stats?.usage ?? 0) - files;
    figures();
    await wait(1000);
    const { cpuMs = 0, memoryMax = 0 } = figures() ?? {};
    // It is busy for a fifth of the time.
    expect(cpuMs).toBeGreaterThan(20);
    expect(cpuMs).toBeLessThan(1000);
    expect(Math.abs(memoryMax / memory - 1)).toBeLessThan(0.3);

    const agent = await only('nephos-figures');
    const { HostConfig, Mounts, NetworkSettings, Config } = (await agent?.inspect()) ?? {};
    expect(Mounts?.map(({ Source, RW }) => ({ Source, RW }))).toEqual([
      { Source: '/sys/fs/cgroup', RW: false },
    ]);
    expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false });
    expect(Config?.User).toBe('65534:65534');
    const { HostPort } = NetworkSettings?.Ports['8080/tcp']?.[0] ?? {};
    const headers = { authorization: 'Bearer of-somebody-else' };
    const refused = await fetch(`http://${there?.address}:${HostPort}/?ids=${agent?.id}`, { headers });
    expect(refused.status).toBe(401);
    expect(await swarm.dockers[0]?.listContainers({ filters: { name: ['nephos-figures'] } })).toEqual([]);

    await agent?.kill();
    await expect.poll(figures, { interval: 500 }).toBeUndefined();
    await expect.poll(figures).toBeDefined();
  });

  test('is taken over as it is by the next start of the server, which removes what is of no app', async () => {
    const before = await names();
    const { dataDir, live } = world;
    await world.engine.stop();
    const [manager] = swarm.dockers;
    const [service] = await services();
    const { Spec } = (await manager?.getService(service?.ID ?? '').inspect()) ?? {};
    const Labels = { ...Spec?.Labels, [LABELS.deployment]: 'gone' };
    await manager?.createService({}, { ...Spec, Name: 'left-over', Labels });
    world = await begin({ dataDir, live });
    await expect.poll(states).toEqual(['running', 'running']);
    expect(await names()).toEqual(before);
    expect(instances()).toEqual([1, 1]);
    expect(await services()).toHaveLength(2);
  });

  test("keeps what runs elsewhere while a machine's daemon is started again, and blames no app", async () => {
    for (const machine of [0, 1]) {
      const before = await names();
      await swarm.restart(machine);
      // Those of the machine came back, and those of the other one never went.
      await expect.poll(async () => (await names()).difference(before).size).toBe(1);
      await expect.poll(states).toEqual(['running', 'running']);
      expect((await names()).intersection(before).size).toBe(1);
    }
    expect(world.changes.map(({ state }) => state)).not.toContain('crashed');
  });

  test('runs an app on any machine with a disk that all share, and puts its data back', async () => {
    const disks = [{ id: `disk-${Date.now()}`, name: 'data', path: '/kept', size: 64 }];
    diskApp = world.project('', { disks });
    const image = async (version: string) => ({
      image: { reference: await swarm.addImage(`disk-${version}`, onDisk(version)), credentials: null },
    });
    expect(await world.engine.sharesDisks(disks)).toBe(true);
    const before = instances() ?? [];
    const availability = () => world.engine.cluster?.nodes()[0]?.availability;
    await swarm.setAvailability(0, 'pause');
    await expect.poll(availability).toBe('pause');
    const { outcome, log: said } = await world.deploy(Object.assign(diskApp, await image('good')));
    expect(outcome, said()).toEqual({ status: 'running' });
    expect(instances()).toEqual([before[0], (before[1] ?? 0) + 1]);
    const upgrade = await world.deploy({ ...diskApp, ...(await image('bad')), savesDisks: true });
    expect(upgrade.outcome, upgrade.log()).toMatchObject({ status: 'failed', step: 'start' });
    expect((await world.ask(diskApp)).text).toBe('good good ');
    await swarm.setAvailability(0, 'active');
    await expect.poll(availability).toBe('active');
    const volume = `nephos-${disks[0]?.id}`;
    expect(await readdir(join(share, `${volume}-backup`))).toEqual([]);
  });

  test('runs an image that came from a backup where it is, once its registry has lost it', async () => {
    const own = world.project('', {
      image: { reference: await swarm.addImage('lost', APP), credentials: null },
      settings: SETTINGS,
    });
    const [here = 0, there = 0] = instances() ?? [];
    const { job, outcome, log: said } = await world.deploy(own);
    expect(outcome, said()).toEqual({ status: 'running' });
    expect(instances()).toEqual([here + 1, there + 1]);

    // As a restore leaves it, in a new swarm.
    const { repo, tag } = keptImage(own.projectId, job.deploymentId);
    const { image: file } = releaseFolders(join(world.dataDir, 'apps'), own.projectId, job.deploymentId);
    const [first, second] = swarm.dockers;
    const saved = await first?.getImage(`${repo}:${tag}`).get();
    await pipeline(saved ?? [], createWriteStream(file));
    await world.engine.stopApp(own.projectId);
    await swarm.loseImages();
    await first?.getImage(`${repo}:${tag}`).remove({ force: true });
    const pulled = (await second?.listImages({ digests: true }))?.filter(({ RepoDigests }) =>
      RepoDigests?.some((digest) => digest.includes('/lost@')),
    );
    for (const { Id } of pulled ?? []) await second?.getImage(Id).remove({ force: true });
    expect(pulled).toHaveLength(1);

    const again = await world.deploy(own, { rollbackOf: job.deploymentId });
    expect(again.outcome, again.log()).toEqual({ status: 'running' });
    expect(instances()).toEqual([here + 2, there]);
    await world.engine.removeProject(own.projectId);
  });

  test('loses no request with a machine, and starts its instances on another', async () => {
    await swarm.kill(1);
    // More than there are connections to it: most are yet to be made.
    const answers = await Promise.all(Array.from({ length: 30 }, () => world.ask(project)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await expect.poll(instances).toEqual([2]);
    await expect.poll(states).toEqual(['running', 'running']);
    expect((await names()).size).toBe(2);
    expect(world.crashes).toEqual([]);
    expect(world.changes.map(({ state }) => state)).not.toContain('crashed');
    // What has a disk waits until the swarm has given the machine up.
    await expect.poll(async () => (await world.ask(diskApp)).text).toBe('good good good ');
    expect(instances()).toEqual([3]);
    for (const { projectId } of [project, diskApp]) await world.engine.removeProject(projectId);
    expect(await services()).toEqual([]);
    // An empty folder is all that is left of a disk.
    const left = await readdir(share, { recursive: true });
    expect(left.filter((name) => !name.endsWith('-backup'))).toEqual([`nephos-${diskApp.disks[0]?.id}`]);
  });
});
