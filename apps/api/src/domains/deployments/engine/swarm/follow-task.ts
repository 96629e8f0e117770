import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { ContainerStart } from '../container/app-container.ts';
import { watchDisk, watchUsage } from '../container/container-figures.ts';
import { type FollowedLog, followLog } from '../container/container-log.ts';
import type { SwarmParts } from './open-service.ts';
import type { ServiceTask } from './swarm-state.ts';

/** The service of one instance. */
export interface Followed {
  service: Docker.Service;
  name: string;
  /** Whether an earlier server began it. */
  isTakenOver: boolean;
}

export interface FollowedTask {
  /** Why it was killed by us, as a clause; '' where it was not. */
  breach(): string;
  /** Waits so many milliseconds at most for what it wrote last. */
  lastWords(within: number): Promise<void>;
  close(): void;
}

/** Reads its log and what it uses, and of a task on this machine what it has written as well. */
export function followTask(
  parts: SwarmParts,
  { app, process, instance, log }: ContainerStart,
  { service, name, isTakenOver, signal }: Followed & { signal: AbortSignal },
): FollowedTask {
  const { containers, swarm, remoteFigures } = parts;
  let breach = '';
  let output: FollowedLog | undefined;
  let isHere = false;
  const follow = async () => {
    const task = await untilTask(parts, service, { is: ({ container }) => container !== '', signal });
    signal.throwIfAborted();
    isHere = swarm.machine(task.machine)?.isHere ?? false;
    const container = containers.daemon.docker.getContainer(task.container);
    output = followLog(containers.daemon, isHere ? container : service, {
      after: containers.marks.read(name),
      onPiece({ stream, text }, mark) {
        log.write(stream, text, { process: process.name, instance });
        containers.marks.note(name, mark);
      },
    });
    const figures = containers.figures.watch(app.projectId, process.name);
    signal.addEventListener('abort', figures.end, { once: true });
    const usage = { onUsage: figures.sample, isTakenOver, signal };
    if (!isHere) return remoteFigures.watch(task, usage);
    watchUsage(containers.daemon, container, usage);
    watchDisk(containers, container, {
      onSize: (bytes) => containers.figures.disk(app.projectId, bytes),
      onFull(reason) {
        breach = reason;
      },
      signal,
    });
  };
  const begun = follow().catch(() => {});
  return {
    breach: () => breach,
    async lastWords(within) {
      await Promise.race([begun, wait(within)]);
      // The log of a service does not end with its task.
      await Promise.race([isHere ? output?.ended : wait(REMOTE_WORDS_MS), wait(within)]).catch(() => {});
    },
    close: () => output?.close(),
  };
}

/** Milliseconds that lines of another machine take to come here. */
const REMOTE_WORDS_MS = 800;

/** Waits for a service's task to be as asked, on a machine that is known. Throws the signal's reason. */
export async function untilTask(
  { swarm }: SwarmParts,
  { id }: Docker.Service,
  { is, signal }: { is: (task: ServiceTask) => boolean; signal: AbortSignal },
): Promise<ServiceTask> {
  for (;;) {
    const task = swarm.taskOf(id);
    if (task && is(task) && swarm.machine(task.machine)) return task;
    await swarm.looked(signal);
  }
}
