import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Docker from 'dockerode';
import {
  addImage,
  type DaemonOptions,
  importBase,
  startContainerd,
  startDaemon,
  startRegistry,
  until,
} from './docker-daemon.ts';

const run = promisify(execFile);

/** Not the usual one, which nothing may take for granted. */
const MANAGER_PORT = 2399;

/** Machines of a test's own, as network namespaces behind a switch, each with a Docker daemon of its own. */
export interface TestSwarm {
  /** As `DOCKER_HOST` has it; one per machine, the manager first. */
  hosts: readonly [string, ...string[]];
  /** The same. */
  dockers: readonly Docker[];
  /** Makes an image of Node.js and these files in `/app`, pushes it, and forgets it. Answers its reference. */
  addImage(name: string, files: Record<string, string>): Promise<string>;
  /** Has the registry lose all that was pushed. */
  loseImages(): Promise<void>;
  /** Has a machine join by the command that it would be typed in with. */
  join(command: string): Promise<void>;
  /** Has a machine take instances, or none. */
  setAvailability(machine: number, availability: 'active' | 'pause'): Promise<void>;
  /** Makes a machine a manager. */
  promote(machine: number): Promise<void>;
  /** Has a machine's daemon do nothing until it is thawed. What it runs goes on. */
  freeze(machine: number): void;
  thaw(machine: number): void;
  /**
   * Ends a machine's daemon, by default as the system does, and starts it again. What runs there ends with it or, where it is
   * killed, as its next life begins.
   */
  restart(machine: number, signal?: NodeJS.Signals): Promise<void>;
  /** Takes a machine off the network and ends all that runs on it, as where its power goes. */
  kill(machine: number): Promise<void>;
  close(): Promise<void>;
}

interface TestMachine {
  namespace: string;
  root: string;
  docker: Docker;
  daemon: ChildProcess;
  options: DaemonOptions;
}

/** Starts `machines` of them, the first of which is a manager; the others are yet to join. */
export async function startSwarm(machines: number): Promise<TestSwarm> {
  const root = await mkdtemp(join(tmpdir(), 'nephos-swarm-'));
  const id = Math.floor(Math.random() * 0xffff);
  // Addresses that no network of a person has (RFC 6598).
  const network = `100.${64 + (id >> 10)}.${(id >> 2) & 0xff}`;
  const name = `nt${id.toString(16)}`;
  await makeSwitch(name, network);
  const registry = await startRegistry(root, `${network}.1`);
  const all: TestMachine[] = [];
  for (let index = 0; index < machines; index++) {
    const options = { name, network, index, registry: registry.host };
    all.push(await startMachine(root, options));
  }
  const [manager] = all;
  if (!manager) throw new Error('a swarm has a machine at least');
  await manager.docker.swarmInit({
    AdvertiseAddr: `${network}.2:${MANAGER_PORT}`,
    ListenAddr: `${network}.2:${MANAGER_PORT}`,
    // Machines are given up sooner than by default, and still later than we take them for lost.
    Spec: { Dispatcher: { HeartbeatPeriod: 2_000_000_000 } },
  });
  await importBase(root, manager.docker);
  const machineOf = (index: number) => {
    const machine = all[index];
    if (!machine) throw new Error('there is no such machine');
    return machine;
  };
  const nodeOf = async (index: number) => {
    const { Swarm } = await machineOf(index).docker.info();
    return manager.docker.getNode(Swarm?.NodeID ?? '');
  };
  const updateNode = async (index: number, change: object) => {
    const node = await nodeOf(index);
    const { Version, Spec } = await node.inspect();
    await node.update({ ...Spec, version: Version.Index, ...change });
  };
  return {
    hosts: [hostOf(manager), ...all.slice(1).map(hostOf)],
    dockers: all.map(({ docker }) => docker),
    addImage: (image, files) =>
      addImage(manager.docker, `${registry.host}/${image}:latest`, { files, config: {} }),
    loseImages: () => rm(join(root, 'registry'), { recursive: true }),
    async join(command) {
      const [, token, address] = /^docker swarm join --token (\S+) (\S+)$/.exec(command) ?? [];
      const joining = all.find(({ docker }) => docker !== manager.docker);
      await joining?.docker.swarmJoin({
        ...{ RemoteAddrs: [address], JoinToken: token, AdvertiseAddr: `${network}.3` },
        ListenAddr: `${network}.3:${MANAGER_PORT}`,
      });
    },
    setAvailability: (index, availability) => updateNode(index, { Availability: availability }),
    async promote(index) {
      await updateNode(index, { Role: 'manager' });
      await until(async () => {
        const { ManagerStatus } = await (await nodeOf(index)).inspect();
        if (ManagerStatus?.Reachability !== 'reachable') throw new Error('it is no manager yet');
      });
    },
    freeze: (index) => void machineOf(index).daemon.kill('SIGSTOP'),
    thaw: (index) => void machineOf(index).daemon.kill('SIGCONT'),
    async restart(index, signal = 'SIGTERM') {
      const machine = machineOf(index);
      const ended = once(machine.daemon, 'exit');
      machine.daemon.kill(signal);
      await ended;
      machine.daemon = await startDaemon(machine.root, machine.docker, machine.options);
    },
    async kill(index) {
      const machine = machineOf(index);
      await run('ip', ['-n', name, 'link', 'set', `m${index}`, 'down']);
      await endMachine(machine);
    },
    async close() {
      registry.child.kill();
      for (const machine of all) await endMachine(machine);
      for (const { namespace } of all) await run('ip', ['netns', 'delete', namespace]);
      await run('ip', ['netns', 'delete', name]);
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const hostOf = ({ root }: TestMachine) => `unix://${join(root, 'docker.sock')}`;

const ip = (...args: string[]) => run('ip', args);

/** A namespace of its own, so that no rule of this machine's firewall is in the way. */
async function makeSwitch(name: string, network: string): Promise<void> {
  await ip('netns', 'add', name);
  await ip('-n', name, 'link', 'add', 'switch', 'type', 'bridge');
  await ip('-n', name, 'link', 'set', 'switch', 'up');
  await ip('link', 'add', `${name}up`, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', name);
  await ip('-n', name, 'link', 'set', 'uplink', 'master', 'switch', 'up');
  await ip('addr', 'add', `${network}.1/24`, 'dev', `${name}up`);
  await ip('link', 'set', `${name}up`, 'up');
}

async function startMachine(
  root: string,
  { name, network, index, registry }: { name: string; network: string; index: number; registry: string },
): Promise<TestMachine> {
  const namespace = `${name}m${index}`;
  await ip('netns', 'add', namespace);
  await ip(
    '-n',
    name,
    'link',
    'add',
    `m${index}`,
    'type',
    'veth',
    'peer',
    'name',
    'eth0',
    'netns',
    namespace,
  );
  await ip('-n', name, 'link', 'set', `m${index}`, 'master', 'switch', 'up');
  for (const device of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', device, 'up');
  await ip('-n', namespace, 'addr', 'add', `${network}.${2 + index}/24`, 'dev', 'eth0');
  await ip('-n', namespace, 'route', 'add', 'default', 'via', `${network}.1`);
  const folder = join(root, String(index));
  await mkdir(folder);
  const socketPath = join(folder, 'docker.sock');
  const docker = new Docker({ socketPath, host: undefined } as unknown as Docker.DockerOptions);
  const inside = `--net=/run/netns/${namespace}`;
  const containerd = await startContainerd(folder, ['nsenter', inside, 'unshare', '--mount']);
  // What one life of the daemon has mounted, the next one finds.
  const options = {
    within: ['nsenter', inside, `--mount=/proc/${containerd.pid}/ns/mnt`],
    args: ['--insecure-registry', registry, '--containerd', join(folder, 'containerd.sock')],
    bridge: '',
  };
  const daemon = await startDaemon(folder, docker, options);
  return { namespace, root: folder, docker, daemon, options };
}

/** Neither containers nor what keeps them end with their daemon. */
async function endMachine({ namespace, daemon }: TestMachine): Promise<void> {
  if (daemon.exitCode === null && daemon.signalCode === null) {
    const ended = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await ended;
  }
  const { stdout: inside } = await ip('netns', 'pids', namespace);
  const keepers = new Set(inside.split('\n').filter(Boolean));
  // The first process of a container is in a network of its own; all others of it end with that.
  const { stdout: table } = await run('ps', ['-eo', 'pid=,ppid=']);
  const begun = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([pid = '', parent = '']) => (keepers.has(parent) ? [pid] : []));
  for (const pid of new Set([...begun, ...keepers])) killQuietly(Number(pid));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
