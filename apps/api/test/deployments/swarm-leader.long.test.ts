import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { LABELS } from '../../src/domains/deployments/engine/container/names.ts';
import { hasDocker } from '../docker-daemon.ts';
import { startSwarm, type TestSwarm } from '../docker-swarm.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

/** A swarm of two managers, which has no leader while one of them does not answer. */

const isHere = requireTool('dockerd') && requireTool('ip') && hasDocker();

const APP = {
  'server.js': `process.on('SIGTERM', () => process.exit(0));
require('node:http').createServer((_, response) => response.end('here'))
  .listen(process.env.PORT, process.env.HOST);`,
};

describe.skipIf(!isHere)('without a leader', () => {
  let swarm: TestSwarm;
  let world: EngineWorld;

  beforeAll(async () => {
    swarm = await startSwarm(2);
    world = await begin();
    await swarm.join((await world.engine.cluster?.joinCommand({ renew: false })) ?? '');
    await swarm.promote(1);
  });

  afterAll(async () => {
    await world?.close();
    await swarm?.close();
  });

  const begin = (life: Partial<Parameters<typeof createEngineWorld>[0]> = {}) =>
    createEngineWorld({ env: { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: swarm.hosts[0] }, ...life });

  test('the server starts, and with a leader it removes what is left over and has its apps back', async () => {
    const image = { reference: await swarm.addImage('app', APP), credentials: null };
    const project = world.project('', { image });
    expect((await world.deploy(project)).outcome).toEqual({ status: 'running' });
    const { dataDir, live } = world;
    await world.engine.stop();
    const [manager] = swarm.dockers;
    // Where the app runs on the other machine, agents tell what it uses: they are no app's.
    const services = async () =>
      (await manager?.listServices().catch(() => undefined))?.filter(
        ({ Spec }) => Spec?.Labels?.[LABELS.agentOf] === undefined,
      ).length;
    const [service] = (await manager?.listServices()) ?? [];
    const { Spec } = (await manager?.getService(service?.ID ?? '').inspect()) ?? {};
    const Labels = { ...Spec?.Labels, [LABELS.deployment]: 'gone' };
    await manager?.createService({}, { ...Spec, Name: 'left-over', Labels });
    swarm.freeze(1);
    await expect.poll(services).toBe(undefined);
    world = await begin({ dataDir, live });
    expect(world.engine.containers().reason).toMatch(/^The swarm has no leader/);
    swarm.thaw(1);
    await expect.poll(services, { timeout: 150_000 }).toBe(1);
    await expect.poll(async () => (await world.ask(project)).text, { timeout: 100_000 }).toBe('here');
    expect(world.crashes).toEqual([]);
    await world.engine.removeProject(project.projectId);
  }, 400_000);
});
