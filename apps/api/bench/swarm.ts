// Prints what a machine that dies costs, of a swarm of two under load: apps of ours, and `docker service` behind HAProxy.
import { setTimeout as wait } from 'node:timers/promises';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import type Docker from 'dockerode';
import { createEngineWorld } from '../test/deployments/engine-world.ts';
import { startSwarm, type TestSwarm } from '../test/docker-swarm.ts';
import { startHaproxy } from './haproxy.ts';
import { failuresOf, startLoad } from './switch.ts';

const INSTANCES = 4;
const PER_SECOND = 100;
const BEFORE_MS = 3000;
/** Bounds the time for which either is waited for. */
const AFTER_MS = 60_000;
const POLL_MS = 50;

const APP = {
  'server.js': `process.on('SIGTERM', () => process.exit(0));
require('node:http').createServer((request, response) => response.end('up'))
  .listen(process.env.PORT || 3000, '0.0.0.0');`,
};

interface Fleet {
  port: number;
  host: string;
  /** How many instances run on machines that are there. */
  running(): Promise<number>;
  close(): Promise<void>;
}

async function ofOurs(swarm: TestSwarm, reference: string): Promise<Fleet> {
  const env = { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: swarm.hosts[0] };
  const world = await createEngineWorld({ env, limits: { healthPoll: 100, sampleTime: 1000 } });
  const web = { name: 'web', command: '', instances: INSTANCES, memory: null, cpu: null, tasks: null };
  const settings = { ...DETECTED_SETTINGS, processes: [web] };
  const project = world.project('', { image: { reference, credentials: null }, settings });
  const { outcome, log } = await world.deploy(project);
  if (outcome.status !== 'running') throw new Error(log());
  const nodes = () => world.engine.cluster?.nodes() ?? [];
  return {
    port: world.port,
    host: `${project.slug}.localhost:${world.port}`,
    async running() {
      const up = world.engine.processes(project.projectId).filter(({ state }) => state === 'running');
      const lost = nodes().filter(({ isHere }) => !isHere);
      return up.length - lost.reduce((sum, { instances }) => sum + instances, 0);
    },
    async close() {
      await world.engine.removeProject(project.projectId);
      await world.close();
    },
  };
}

interface Task {
  NodeID: string;
  Status: { State: string; PortStatus?: { Ports?: { PublishedPort: number }[] } };
}

async function ofDocker(swarm: TestSwarm, reference: string): Promise<Fleet> {
  const [manager] = swarm.dockers;
  if (!manager) throw new Error('the swarm has no manager');
  const network = await manager.createNetwork({ Name: 'apps', Driver: 'overlay' });
  const service = await manager.createService({}, {
    Name: 'app',
    Mode: { Replicated: { Replicas: INSTANCES } },
    TaskTemplate: { ContainerSpec: { Image: reference, Init: true }, Networks: [{ Target: network.id }] },
    EndpointSpec: { Mode: 'dnsrr', Ports: [{ Protocol: 'tcp', TargetPort: 3000, PublishMode: 'host' }] },
  } as Docker.ServiceSpec);
  const { Swarm } = await manager.info();
  const tasks = async (): Promise<Task[]> => {
    const found: Task[] = await manager.listTasks({ filters: JSON.stringify({ service: ['app'] }) });
    return found.filter(({ Status }) => Status.State === 'running');
  };
  const deadline = Date.now() + AFTER_MS;
  while ((await tasks()).length < INSTANCES) {
    if (Date.now() > deadline) throw new Error('the service does not run');
    await wait(POLL_MS);
  }
  const nodes: { ID: string; Status: { Addr: string } }[] = await manager.listNodes();
  const servers = (await tasks()).map(({ NodeID, Status }) => {
    const address =
      NodeID === Swarm.NodeID ? Swarm.NodeAddr : nodes.find(({ ID }) => ID === NodeID)?.Status.Addr;
    return `${address}:${Status.PortStatus?.Ports?.[0]?.PublishedPort}`;
  });
  const haproxy = await startHaproxy(servers);
  if (!haproxy) throw new Error('haproxy is not installed');
  return {
    port: Number(new URL(haproxy.url).port),
    host: 'localhost',
    running: async () => (await tasks()).filter(({ NodeID }) => NodeID === Swarm.NodeID).length,
    async close() {
      await haproxy.stop();
      await service.remove();
    },
  };
}

async function measure(name: string, begin: (swarm: TestSwarm, reference: string) => Promise<Fleet>) {
  const swarm = await startSwarm(2);
  try {
    const [manager] = swarm.dockers;
    const { JoinTokens } = (await manager?.swarmInspect()) ?? {};
    const { Swarm } = (await manager?.info()) ?? {};
    await swarm.join(`docker swarm join --token ${JoinTokens?.Worker} ${Swarm?.RemoteManagers?.[0]?.Addr}`);
    const reference = await swarm.addImage('app', APP);
    const fleet = await begin(swarm, reference);
    const load = startLoad({ ...fleet, perSecond: PER_SECOND });
    await wait(BEFORE_MS);
    const killed = Date.now();
    await swarm.kill(1);
    while ((await fleet.running()) < INSTANCES && Date.now() - killed < AFTER_MS) await wait(POLL_MS);
    const full = (Date.now() - killed) / 1000;
    const { sent, failures, slowest } = await load.stop();
    process.stdout.write(
      `${name}: ${failuresOf(failures, sent)} requests failed, the slowest took ${slowest} ms, ` +
        `all ${INSTANCES} instances ran after ${full.toFixed(1)} s\n`,
    );
    await fleet.close();
  } finally {
    await swarm.close();
  }
}

await measure('apps of ours', ofOurs);
await measure('docker service and HAProxy', ofDocker);
