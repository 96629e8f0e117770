import { type AddressInfo, createServer, type Server } from 'node:net';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { LABELS } from '../../src/domains/deployments/engine/container/names.ts';
import type { ContainerState } from '../../src/domains/deployments/engine/engine.ts';
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
};

const SETTINGS = {
  ...DETECTED_SETTINGS,
  processes: [{ name: 'web', command: '', instances: 2, memory: null, cpu: null, tasks: null }],
};

describe.skipIf(!isHere)('a swarm of two machines', () => {
  let swarm: TestSwarm;
  let world: EngineWorld;
  let project: TestProject;
  let log: () => string;
  let database: Server;
  let port: number;
  /** What is said of a daemon that is in no swarm yet. */
  let inNone: ContainerState;

  const begin = (life: Partial<Parameters<typeof createEngineWorld>[0]> = {}) =>
    createEngineWorld({
      env: { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: swarm.hosts[0] },
      limits: { restartDelay: 20, workerTime: 300 },
      ports: [port],
      ...life,
    });

  beforeAll(async () => {
    swarm = await startSwarm(2);
    database = createServer((socket) => socket.end('a database'));
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
    ({ port } = database.address() as AddressInfo);
    const [, host = ''] = swarm.hosts;
    const alone = await createEngineWorld({ env: { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: host } });
    inNone = alone.engine.containers();
    await alone.close();
    world = await begin();
    const cluster = world.engine.cluster;
    await swarm.join((await cluster?.joinCommand({ renew: false })) ?? '');
    await vi.waitFor(() => expect(instances()).toEqual([0, 0]), { timeout: 10_000 });
    const reference = await swarm.addImage('app', APP);
    project = world.project('', { image: { reference, credentials: null }, settings: SETTINGS });
    const deployment = await world.deploy(project);
    log = deployment.log;
    expect(deployment.outcome, log()).toEqual({ status: 'running' });
  }, 120_000);

  afterAll(async () => {
    await world?.close();
    await swarm?.close();
    database?.close();
  });

  /** Of the machines that respond, this one first. */
  const instances = () =>
    world.engine.cluster
      ?.nodes()
      .filter(({ state }) => state === 'ready')
      .map((node) => node.instances);
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

  test('is taken over as it is by the next start of the server, which removes what is of no app', async () => {
    const before = await names();
    const { dataDir, live } = world;
    await world.engine.stop();
    const [manager] = swarm.dockers;
    const [service] = (await manager?.listServices()) ?? [];
    const { Spec } = (await manager?.getService(service?.ID ?? '').inspect()) ?? {};
    const Labels = { ...Spec?.Labels, [LABELS.deployment]: 'gone' };
    await manager?.createService({}, { ...Spec, Name: 'left-over', Labels });
    world = await begin({ dataDir, live });
    await expect.poll(states).toEqual(['running', 'running']);
    expect(await names()).toEqual(before);
    expect(instances()).toEqual([1, 1]);
    expect(await manager?.listServices()).toHaveLength(2);
  });

  test("keeps what runs elsewhere while a machine's daemon is started again, and blames no app", async () => {
    for (const machine of [0, 1]) {
      const before = await names();
      await swarm.restart(machine);
      // Those of the machine came back, and those of the other one never went.
      await expect.poll(async () => (await names()).difference(before).size, { timeout: 30_000 }).toBe(1);
      await expect.poll(states).toEqual(['running', 'running']);
      expect((await names()).intersection(before).size).toBe(1);
    }
    expect(world.changes.map(({ state }) => state)).not.toContain('crashed');
  }, 90_000);

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
    await world.engine.removeProject(project.projectId);
    expect(await swarm.dockers[0]?.listServices()).toEqual([]);
  });
});
