// Prints what an app on a swarm of two machines loses under load while Docker is started again on one of them.
import { setTimeout as wait } from 'node:timers/promises';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { createEngineWorld } from '../test/deployments/engine-world.ts';
import { startSwarm } from '../test/docker-swarm.ts';
import { measureOutage, SERVER } from './outage.ts';

const INSTANCES = 2;

const swarm = await startSwarm(2);
try {
  const reference = await swarm.addImage('app', { 'server.js': SERVER });
  const env = { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: swarm.hosts[0], BASE_IMAGE_NODE: reference };
  const world = await createEngineWorld({ env, limits: { healthPoll: 100, sampleTime: 1000 } });
  try {
    const { engine } = world;
    await swarm.join((await engine.cluster?.joinCommand({ renew: false })) ?? '');
    const isReady = () => engine.cluster?.nodes().filter(({ state }) => state === 'ready').length === 2;
    while (!isReady()) await wait(100);
    const web = { name: 'web', command: '', instances: INSTANCES, memory: null, cpu: null, tasks: null };
    const settings = { ...DETECTED_SETTINGS, processes: [web] };
    const project = world.project('', { image: { reference, credentials: null }, settings });
    const { outcome, log } = await world.deploy(project);
    if (outcome.status !== 'running') throw new Error(log());
    const filters = { name: [project.slug] };
    const app = {
      ...{ port: world.port, slug: project.slug, instances: INSTANCES },
      async containers() {
        const all = await Promise.all(swarm.dockers.map((docker) => docker.listContainers({ filters })));
        return all.flat().length;
      },
    };
    for (const [machine, name] of ['manager', 'worker'].entries())
      for (const [signal, what] of [
        ['SIGTERM', 'restarted'],
        ['SIGKILL', 'killed'],
      ] as const)
        await measureOutage(app, `${name}'s daemon ${what}`, () => swarm.restart(machine, signal));
    await engine.removeProject(project.projectId);
  } finally {
    await world.close();
  }
} finally {
  await swarm.close();
}
