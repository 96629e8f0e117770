import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { byteSize } from '../../../../platform/byte-size.ts';
import { refuseUnsettled } from '../backup-files.ts';
import { WEB } from '../detect/plan.ts';
import { DEFAULT_PORT } from '../dockerfile/generate-dockerfile.ts';
import { describeExit } from '../instances/exit.ts';
import { endedEarly, type Listening, untilReady } from '../instances/readiness.ts';
import { answers, portsAround } from '../process/listeners.ts';
import type { AppProcess, Ending, StartOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { watchDisk, watchUsage } from './container-figures.ts';
import { type FollowedLog, followLog } from './container-log.ts';
import type { ContainerParts } from './container-parts.ts';
import { type Daemon, isAway, isMissing } from './daemon.ts';
import type { ContainerServe } from './images.ts';
import { containerName } from './names.ts';
import {
  beginContainer,
  createContainer,
  discardContainer,
  NotBegun,
  untilDiscarded,
  untilExit,
} from './open-container.ts';
import { releaseImage } from './release-image.ts';

const MB = 1024 ** 2;

export type ContainerStart = StartOptions & { serve: ContainerServe };
type Start = ContainerStart;

/**
 * Starts an instance in a container and waits until it answers, or, where nobody asks it, has run for a moment. Throws
 * `StepFailure`, or the signal's reason; then nothing is left of it.
 */
export async function startAppContainer(parts: ContainerParts, options: Start): Promise<AppProcess> {
  const { daemon } = parts;
  const { signal } = options;
  signal.throwIfAborted();
  if (options.patient) return daemon.patiently(() => start(parts, options), signal);
  return whileItAnswers(daemon.reason(), () => start(parts, options));
}

/** A start that somebody waits for fails where Docker is away, for which there may be a reason already. */
export async function whileItAnswers<T>(reason: string, work: () => Promise<T>): Promise<T> {
  if (reason !== '') throw new StepFailure('start', `Start failed: ${reason}`);
  try {
    return await work();
  } catch (error) {
    if (!isAway(error)) throw error;
    throw new StepFailure('start', 'Start failed: Docker went away. Check DOCKER_HOST, and deploy again.');
  }
}

function nameOf({ app, process, instance }: Start): string {
  return containerName(app, { process: process.name, instance });
}

async function start(parts: ContainerParts, options: Start): Promise<AppProcess> {
  await parts.met();
  await refuseUnsettled(parts.root, options);
  await untilDiscarded(nameOf(options));
  const port = portOf(options);
  const left = options.patient ? await runningOne(parts, options) : undefined;
  const container = left ?? (await begin(parts, options, port));
  const run = keepRunning(parts, options, { container, isTakenOver: left !== undefined });
  return untilUp(options, { ...run, sharesPorts: false }, async (signal) =>
    port === undefined
      ? wait(parts.limits.workerTime, NOWHERE, { signal })
      : untilReady(parts, { ...options, signal }, await listeningOf(container, port)),
  );
}

type Ready = Pick<AppProcess, 'origin' | 'ownPort'>;

/** Where a worker listens. */
export const NOWHERE: Ready = { origin: '', ownPort: null };

/** Where `web` is told to listen; undefined for a worker. */
export function portOf({ app, process, serve }: Start): number | undefined {
  return process.name === WEB ? (app.settings.port ?? serve.port ?? DEFAULT_PORT) : undefined;
}

/** Waits until a run that was begun is up, and stops it where it is not. Throws `StepFailure`, or the signal's reason. */
export async function untilUp<Run extends Pick<AppProcess, 'ended' | 'stop'>>(
  options: StartOptions,
  run: Run,
  ready: (signal: AbortSignal) => Promise<Ready>,
): Promise<Run & Ready> {
  const failed = run.ended.then((ending) => {
    throw endedEarly(options.process, ending);
  });
  const cancelled = new AbortController();
  const signal = AbortSignal.any([options.signal, cancelled.signal]);
  try {
    return { ...run, ...(await Promise.race([ready(signal), failed])) };
  } catch (error) {
    failed.catch(() => {});
    await run.stop(0);
    throw error;
  } finally {
    cancelled.abort();
  }
}

/** One that an earlier server left, or that the daemon kept, which is told by its name. */
async function runningOne(
  { daemon: { docker }, networks }: ContainerParts,
  options: Start,
): Promise<Docker.Container | undefined> {
  const container = docker.getContainer(nameOf(options));
  try {
    if (!(await container.inspect()).State.Running) return undefined;
    await networks.open(options.app.projectId);
    return container;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function begin(
  parts: ContainerParts,
  options: Start,
  port: number | undefined,
): Promise<Docker.Container> {
  const { app, process, instance } = options;
  const origin = { process: process.name, instance };
  const name = nameOf(options);
  parts.marks.forget(name);
  const { argv: command, expand, limits } = process;
  try {
    const image = await releaseImage(parts, options);
    const container = await createContainer(parts, {
      ...{ app, image, name, origin, command, expand, isAlone: false, port, limits },
    });
    await beginContainer(container);
    return parts.daemon.docker.getContainer(name);
  } catch (error) {
    await discardContainer(parts.daemon, name);
    if (error instanceof NotBegun) throw endedEarly(process, error.ending);
    throw error;
  }
}

type KeptRun = Required<Pick<AppProcess, 'ended' | 'stop' | 'leave'>>;

/** Follows a container until it ends, is stopped, or is left. */
function keepRunning(
  parts: ContainerParts,
  options: Start,
  { container, isTakenOver }: { container: Docker.Container; isTakenOver: boolean },
): KeptRun {
  const { app, process, instance, log } = options;
  const name = nameOf(options);
  const leaving = new AbortController();
  const output = followLog(parts.daemon, container, {
    after: parts.marks.read(name),
    onPiece({ stream, text }, mark) {
      log.write(stream, text, { process: process.name, instance });
      parts.marks.note(name, mark);
    },
  });
  const figures = parts.figures.watch(app.projectId, process.name);
  watchUsage(parts.daemon, container, { onUsage: figures.sample, isTakenOver, signal: leaving.signal });
  let breach = '';
  watchDisk(parts, container, {
    onSize: (bytes) => parts.figures.disk(app.projectId, bytes),
    onFull(reason) {
      breach = reason;
    },
    signal: leaving.signal,
  });
  const ended = untilEnded(parts.daemon, {
    container,
    output,
    memory: process.limits.memory,
    leaving: leaving.signal,
  })
    .then((ending) => (breach === '' ? ending : { ...ending, how: `was stopped: ${breach}` }))
    .finally(() => {
      figures.end();
      leaving.abort();
    });
  return {
    ended,
    async stop(grace) {
      await parts.daemon.unlessAway(endContainer(parts, container, grace));
      await Promise.race([output.ended, wait(LAST_WORDS_MS)]);
      output.close();
      await discardContainer(parts.daemon, name);
      parts.marks.forget(name);
    },
    leave() {
      output.close();
      leaving.abort();
      parts.marks.settle(name);
    },
  };
}

/** Milliseconds in which the last words of a container that ended still come. */
export const LAST_WORDS_MS = 2000;

export async function endContainer(
  { daemon }: ContainerParts,
  container: Docker.Container,
  grace: number,
): Promise<void> {
  try {
    const seconds = Math.ceil(grace / 1000);
    await daemon.patiently(() => (seconds === 0 ? container.kill() : container.stop({ t: seconds })));
  } catch {
    // It has ended already, or it is removed by force in a moment.
  }
}

interface Watched {
  container: Docker.Container;
  output: FollowedLog;
  /** MB. */
  memory: number;
  leaving: AbortSignal;
}

/** Resolves with its end; never where it is left. */
async function untilEnded(daemon: Daemon, watched: Watched): Promise<Ending> {
  const { container, output, leaving } = watched;
  try {
    const { state, wentAway } = await untilExit(daemon, container, leaving);
    await Promise.race([output.ended, wait(LAST_WORDS_MS)]);
    return endingOf(state, { memory: watched.memory, wentAway });
  } catch (error) {
    if (leaving.aborted) return new Promise(() => {});
    if (isMissing(error)) return { how: 'was removed from Docker', exit: null };
    throw error;
  }
}

function endingOf(
  { ExitCode, OOMKilled }: Docker.ContainerInspectInfo['State'],
  { memory, wentAway }: { memory: number; wentAway: boolean },
): Ending {
  const exit = { code: ExitCode, signal: null };
  // One of its programs may have ended so before, and the rest gone on: what ends well ran out of nothing.
  const how =
    OOMKilled && ExitCode !== 0 ? `ran out of memory (${byteSize(memory * MB)})` : describeExit(exit);
  return { how, exit, isBlameless: wentAway };
}

/** How a container's ports are looked at: at its address in its project's network. */
async function listeningOf(container: Docker.Container, port: number): Promise<Listening> {
  const { NetworkSettings, State } = await container.inspect();
  const [network] = Object.values(NetworkSettings.Networks);
  const host = network?.IPAddress ?? '';
  return {
    port,
    sharesPorts: false,
    async originOf(asked) {
      return host !== '' && (await answers(host, asked)) ? `http://${host}:${asked}` : undefined;
    },
    // A daemon in another namespace of processes than ours tells a number that is nobody's here.
    ports: async () => (State.Pid === 0 ? [] : portsAround(State.Pid, [NAME_SERVER])),
  };
}

/** Docker's own, in each container. */
const NAME_SERVER = '127.0.0.11';
