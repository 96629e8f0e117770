import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Daemon, statusOf } from '../container/daemon.ts';
import { LABELS } from '../container/names.ts';
import { createProbes, type Here, type Machine, readMachines } from './machines.ts';

/** What became of a task of a service. */
export interface ServiceTask {
  id: string;
  service: string;
  /** Empty while it waits for a machine. */
  machine: string;
  /** `TaskState` of the Engine API, for example `running`. */
  state: string;
  /** What the swarm says of it: why it waits or failed; '' for nothing. */
  error: string;
  /** Empty while there is none. */
  container: string;
  exitCode: number;
  /** The port of its machine where it is reached; null for none. */
  port: number | null;
}

/** The swarm as it was looked at last, twice a second. */
export interface SwarmState {
  /** Why nothing can be started, as a sentence; '' where it can. */
  reason(): string;
  machines(): readonly Machine[];
  machine(id: string): Machine | undefined;
  /** Whether a machine can be reached, and takes what is put on it. */
  isUp(id: string): boolean;
  /** Whether a machine is gone, and what ran on it with it. */
  isLost(id: string): boolean;
  /** Whether the swarm has given a machine up, which takes it several heartbeats, or knows none such. */
  isGivenUp(id: string): boolean;
  taskOf(serviceId: string): ServiceTask | undefined;
  /** How often the daemon of a machine went away, and maybe what it ran with it. */
  losses(id: string): number;
  /** Resolves after the next look that was answered. Rejects with the signal's reason. */
  looked(signal: AbortSignal): Promise<void>;
  /** Looks for the first time, and from then on. */
  start(): Promise<void>;
  close(): void;
}

const LOOK_MS = 500;
/** The place of this machine in the swarm is looked up again so many looks later. */
const LOOKS_PER_PLACE = 20;

export function createSwarmState(
  { daemon, instance, log }: { daemon: Daemon; instance: string; log: Logger },
  socket: string,
): SwarmState {
  const looks = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const probes = createProbes(() => void looks.emit('look'));
  let machines: readonly Machine[] = [];
  let tasks = new Map<string, ServiceTask>();
  let here: Here | undefined;
  let reason = 'The server is still starting.';
  let count = 0;
  let isHere = false;
  let losses = 0;

  const look = async () => {
    if (daemon.reason() !== '') {
      if (isHere) losses += 1;
      isHere = false;
      return;
    }
    isHere = true;
    try {
      if (!here || count % LOOKS_PER_PLACE === 0) here = await placeOf(daemon);
      count += 1;
      const [found, current] = await Promise.all([
        readMachines(daemon.docker, here),
        readTasks(daemon, `${LABELS.instance}=${instance}`),
      ]);
      machines = found;
      // The newest of each service.
      tasks = new Map(current.map((task) => [task.service, task]));
      probes.watch(found);
      reason = '';
    } catch (error) {
      const said = whyNot(error, socket);
      if (said !== reason) log.warn({ err: error }, 'the swarm does not answer');
      reason = said;
      here = undefined;
      return;
    }
    looks.emit('look');
  };
  const watch = async () => {
    while (!closing.signal.aborted) {
      await wait(LOOK_MS, undefined, { signal: closing.signal }).catch(() => {});
      await look();
    }
  };
  const machine = (id: string) => machines.find((known) => known.id === id);
  const isGivenUp = (id: string) => machine(id)?.isGivenUp ?? true;

  return {
    reason: () => daemon.reason() || reason,
    machines: () => machines,
    machine,
    isUp: (id) => machine(id)?.state === 'ready' && !probes.isSilent(id),
    isLost: (id) => isGivenUp(id) || probes.isSilent(id),
    isGivenUp,
    taskOf: (serviceId) => tasks.get(serviceId),
    losses: (id) => (machine(id)?.isHere ? losses : probes.losses(id)),
    async looked(signal) {
      await once(looks, 'look', { signal: AbortSignal.any([signal, closing.signal]) }).catch((error) => {
        signal.throwIfAborted();
        throw closing.signal.aborted ? closing.signal.reason : error;
      });
    },
    async start() {
      await look();
      void watch();
    },
    close() {
      closing.abort(new Error('the server stops'));
      probes.close();
    },
  };
}

/** Throws `NoSwarm` where this daemon is not in one. */
async function placeOf({ docker }: Daemon): Promise<Here> {
  const { Swarm } = await docker.info();
  if (!Swarm?.ControlAvailable) throw new NoSwarm(Swarm?.LocalNodeState === 'active');
  return { id: Swarm.NodeID, address: Swarm.NodeAddr };
}

class NoSwarm extends Error {
  override readonly name = 'NoSwarm';
  readonly isWorker: boolean;

  constructor(isWorker: boolean) {
    super('the daemon is no manager of a swarm');
    this.isWorker = isWorker;
  }
}

function whyNot(error: unknown, socket: string): string {
  if (error instanceof NoSwarm) {
    return error.isWorker
      ? 'DEPLOY_RUNTIME=swarm needs a manager, and this machine is a worker of its swarm. Run "docker node promote" on a manager.'
      : `DEPLOY_RUNTIME=swarm needs a swarm, and Docker at ${socket} is in none. Run "docker swarm init" on this machine.`;
  }
  if (statusOf(error) === undefined) return `Docker at ${socket} doesn't respond. Check DOCKER_HOST.`;
  return 'The swarm has no leader: too few of its managers respond. Apps go on running. Bring managers back.';
}

/** `Task` of the Engine API, as far as it is read. */
interface FoundTask {
  ID: string;
  CreatedAt: string;
  ServiceID: string;
  NodeID?: string;
  Status: {
    State: string;
    Err?: string;
    ContainerStatus?: { ContainerID?: string; ExitCode?: number };
    PortStatus?: { Ports?: { PublishedPort?: number }[] };
  };
}

/** The tasks of services that have a label, `name=value`, the newest last. */
export async function readTasks({ docker }: Daemon, label: string): Promise<ServiceTask[]> {
  const filters = { label: [label] };
  const found: FoundTask[] = await docker.listTasks({ filters: JSON.stringify(filters) });
  found.sort((a, b) => a.CreatedAt.localeCompare(b.CreatedAt));
  return found.map(taskOf);
}

function taskOf({ ID, ServiceID, NodeID = '', Status }: FoundTask): ServiceTask {
  const { ContainerStatus, PortStatus } = Status;
  return {
    id: ID,
    service: ServiceID,
    machine: NodeID,
    state: Status.State,
    error: Status.Err ?? '',
    container: ContainerStatus?.ContainerID ?? '',
    exitCode: ContainerStatus?.ExitCode ?? 0,
    port: PortStatus?.Ports?.[0]?.PublishedPort ?? null,
  };
}
