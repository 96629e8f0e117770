import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { byteSize } from '../../../../platform/byte-size.ts';
import { refuseUnsettled } from '../backup-files.ts';
import {
  type ContainerStart,
  endContainer,
  LAST_WORDS_MS,
  NOWHERE,
  portOf,
  untilUp,
  whileItAnswers,
} from '../container/app-container.ts';
import { MB } from '../container/container-options.ts';
import { isMissing } from '../container/daemon.ts';
import { containerName, LABELS } from '../container/names.ts';
import { endingOfUnbegun, removeContainer } from '../container/open-container.ts';
import { describeExit } from '../instances/exit.ts';
import { type Listening, untilReady } from '../instances/readiness.ts';
import { answers, portsAround } from '../process/listeners.ts';
import type { AppProcess, Ending } from '../runtime.ts';
import { type Followed, followTask, untilTask } from './follow-task.ts';
import { hostInUrl } from './machines.ts';
import { isGone, isOver, openService, removeService, type SwarmParts } from './open-service.ts';
import type { ServiceTask } from './swarm-state.ts';

/**
 * Starts an instance as a service of its own and waits until it answers, or, where nobody asks it, has run for a moment.
 * Throws `StepFailure`, or the signal's reason; then nothing is left of it.
 */
export async function startAppService(parts: SwarmParts, options: ContainerStart): Promise<AppProcess> {
  const { containers, swarm } = parts;
  const { signal } = options;
  signal.throwIfAborted();
  if (!options.patient) return whileItAnswers(swarm.reason(), () => start(parts, options));
  return containers.daemon.patiently(async () => {
    while (swarm.reason() !== '') await swarm.looked(signal);
    return start(parts, options);
  }, signal);
}

async function start(parts: SwarmParts, options: ContainerStart): Promise<AppProcess> {
  const { containers } = parts;
  await containers.settled();
  await refuseUnsettled(containers.root, options);
  const port = portOf(options);
  const name = containerName(options.app, { process: options.process.name, instance: options.instance });
  const left = options.patient ? await runningOne(parts, options, { name, port }) : undefined;
  const service = left ?? (await openService(parts, options, { name, port }));
  const run = keepRunning(parts, options, { service, name, isTakenOver: left !== undefined });
  const up = await untilUp(options, { ...run, sharesPorts: false }, async (signal) => {
    const task = await untilTask(parts, service, { is: ({ state }) => state === 'running', signal });
    if (port === undefined) return wait(containers.limits.workerTime, NOWHERE, { signal });
    return untilReady(containers, { ...options, signal }, await listeningOf(parts, task, port));
  });
  const machine = parts.swarm.machine(parts.placements.get(name)?.machine ?? '');
  return { ...up, ...(machine && { node: machine.name }) };
}

/** One that an earlier server left, which is told by its name. */
async function runningOne(
  { containers, swarm, placements }: SwarmParts,
  { app, process, signal }: ContainerStart,
  { name, port }: { name: string; port: number | undefined },
): Promise<Docker.Service | undefined> {
  const service = containers.daemon.docker.getService(name);
  try {
    const { ID, Spec } = await service.inspect();
    if (Spec.Labels?.[LABELS.instance] !== containers.instance) return undefined;
    const task = swarm.taskOf(ID) ?? (await swarm.looked(signal).then(() => swarm.taskOf(ID)));
    if (task?.state !== 'running' || swarm.isLost(task.machine)) return undefined;
    // With its leader, a swarm loses which port of a machine leads to a task.
    if (port !== undefined && task.port === null) return undefined;
    placements.set(name, { machine: task.machine, process: `${app.deploymentId} ${process.name}` });
    return containers.daemon.docker.getService(ID);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** How its port is looked at: at that of its machine which leads to it. */
async function listeningOf(
  { containers, swarm }: SwarmParts,
  task: ServiceTask,
  port: number,
): Promise<Listening> {
  const machine = swarm.machine(task.machine);
  const { State } = machine?.isHere
    ? await containers.daemon.docker.getContainer(task.container).inspect()
    : { State: { Pid: 0 } };
  const host = machine?.address ?? '';
  return {
    port,
    sharesPorts: false,
    async originOf(asked) {
      // It may be told a moment after the task runs.
      const published = swarm.taskOf(task.service)?.port ?? null;
      if (asked !== port || published === null || !(await answers(host, published))) return undefined;
      return `http://${hostInUrl(host)}:${published}`;
    },
    // On another machine nobody tells.
    ports: async () => (State.Pid === 0 ? [] : portsAround(State.Pid, ['127.0.0.11'])),
  };
}

type KeptRun = Required<Pick<AppProcess, 'ended' | 'stop' | 'leave'>>;

/** Follows a service until its task ends, is stopped, or is left. */
function keepRunning(parts: SwarmParts, options: ContainerStart, followed: Followed): KeptRun {
  const { containers, placements } = parts;
  const { service, name } = followed;
  const leaving = new AbortController();
  const watched = followTask(parts, options, { ...followed, signal: leaving.signal });
  const ended = untilEnded(parts, options, { ...followed, leaving: leaving.signal })
    .then(async (ending) => {
      await watched.lastWords(LAST_WORDS_MS);
      return watched.breach() === '' ? ending : { ...ending, how: `was stopped: ${watched.breach()}` };
    })
    .finally(() => leaving.abort());
  let removed: Promise<void> | undefined;
  return {
    ended,
    async stop(grace) {
      removed ??= containers.daemon
        .patiently(async () => {
          const container = containerHere(parts, service);
          // The swarm waits for two seconds before it ends one, so that names are forgotten, which nothing needs here.
          if (container) await endContainer(containers, container, grace);
          await removeService(parts, service);
          // The swarm takes its time with it, and it holds on to disks.
          if (container) await removeContainer(container);
        })
        .then(() => containers.marks.forget(name));
      // A server that stops while the daemon is away leaves it: the next one that starts removes it.
      await removed.catch(() => {});
      placements.delete(name);
      await watched.lastWords(LAST_WORDS_MS);
      watched.close();
      leaving.abort();
    },
    leave() {
      watched.close();
      leaving.abort();
      placements.delete(name);
      containers.marks.settle(name);
    },
  };
}

/** Resolves with its end; never where it is left. */
async function untilEnded(
  parts: SwarmParts,
  options: ContainerStart,
  { service, name, leaving }: Followed & { leaving: AbortSignal },
): Promise<Ending> {
  const { containers, swarm, placements } = parts;
  const placed = placements.get(name)?.machine ?? '';
  const losses = swarm.losses(placed);
  const holdsDisk = options.app.disks.length > 0;
  try {
    for (;;) {
      await swarm.looked(leaving);
      const task = swarm.taskOf(service.id);
      if (!task && (await containers.daemon.patiently(() => isRemoved(service), leaving)))
        return { how: 'was removed from Docker', exit: null };
      if (!task) continue;
      const machine = swarm.machine(task.machine);
      if (task.machine !== '' && isGone(swarm, task.machine, { holdsDisk })) {
        const lost = machine?.name ?? 'its machine';
        return { how: `was lost with ${lost}, which does not respond`, exit: null, isBlameless: true };
      }
      if (isOver(task)) {
        const ending = await endingOf(parts, options, task);
        return swarm.losses(placed) > losses ? { ...ending, isBlameless: true } : ending;
      }
    }
  } catch (error) {
    if (leaving.aborted) return new Promise(() => {});
    throw error;
  }
}

async function isRemoved(service: Docker.Service): Promise<boolean> {
  try {
    await service.inspect();
    return false;
  } catch (error) {
    return isMissing(error);
  }
}

const KILLED = 137;

async function endingOf(
  { containers, swarm }: SwarmParts,
  { process }: ContainerStart,
  { state, error, container, exitCode, machine: id }: ServiceTask,
): Promise<Ending> {
  const machine = swarm.machine(id);
  if (state === 'rejected' || (state === 'failed' && !EXITED.test(error))) return endingOfUnbegun(error);
  // An administrator drained its machine: it goes on elsewhere.
  const isBlameless = state !== 'complete' && state !== 'failed' && machine?.availability === 'drain';
  const exit = { code: exitCode, signal: null };
  const memory = byteSize(process.limits.memory * MB);
  const ran = { how: describeExit(exit), exit, isBlameless };
  if (exitCode !== KILLED) return ran;
  if (!machine?.isHere)
    return { ...ran, how: `was killed by SIGKILL, most likely out of memory (${memory})` };
  const found = await containers.daemon.docker
    .getContainer(container)
    .inspect()
    .catch(() => undefined);
  return found?.State.OOMKilled ? { ...ran, how: `ran out of memory (${memory})` } : ran;
}

/** As the swarm says it of a container that had begun. */
const EXITED = /non-zero exit/;

/** Undefined where it is on another machine, or there is none yet. */
function containerHere(
  { containers, swarm }: SwarmParts,
  { id }: Docker.Service,
): Docker.Container | undefined {
  const task = swarm.taskOf(id);
  if (!task || task.container === '' || !swarm.machine(task.machine)?.isHere) return undefined;
  return containers.daemon.docker.getContainer(task.container);
}
