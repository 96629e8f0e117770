import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { expandWord } from '../detect/command-line.ts';
import type { DeployedApp } from '../engine.ts';
import { aborted } from '../instances/exit.ts';
import { isMountFailure, withoutOptions } from '../mount-failure.ts';
import type { Ending, RunLimits } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { containerOptions } from './container-options.ts';
import type { ContainerParts } from './container-parts.ts';
import { type Daemon, isAway, isMissing, statusOf } from './daemon.ts';
import { giveDisks, openDisks } from './disks.ts';
import { containerEnvironment } from './environment.ts';
import type { Image } from './images.ts';

export interface OpenOptions {
  app: DeployedApp;
  image: Image;
  name: string;
  origin: { process: string; instance: number };
  command: readonly string[];
  /** Whether words of the command may hold `$NAME`. */
  expand: boolean;
  isAlone: boolean;
  port: number | undefined;
  limits: RunLimits;
  hasTerminal?: boolean;
}

/** A container that could not be begun; the message completes a sentence: 'could not be started (…)'. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.how);
    this.ending = ending;
  }
}

/** Makes a container with all that its app has, in the place of whatever has its name; it is not started yet. */
export async function createContainer(
  parts: ContainerParts,
  options: OpenOptions,
): Promise<Docker.Container> {
  const { daemon, instance, settings } = parts;
  const { app, image, command, expand } = options;
  const network = await parts.networks.open(app.projectId);
  const disks = await openDisks(parts, { app, folder: image.folder });
  const env = containerEnvironment(settings, { app, port: options.port, disks });
  const words = expand ? command.map((word) => expandWord(word, { ...image.env, ...env })) : command;
  await removeContainer(daemon.docker.getContainer(options.name));
  try {
    const container = await daemon.docker.createContainer(
      containerOptions({ ...options, instance, image: image.id, command: words, env, network, disks }),
    );
    await giveDisks(container, { disks, user: image.user });
    return container;
  } catch (error) {
    await discardContainer(daemon, options.name);
    explain(error);
  }
}

/** Removals under way, by the names of their containers: another one of the name waits for it. */
const discarding = new Map<string, Promise<void>>();

/** Removes a container as `removeContainer` does; once the daemon is back where it is away, which nobody waits for. */
export async function discardContainer(daemon: Daemon, name: string): Promise<void> {
  const container = daemon.docker.getContainer(name);
  const removal = (discarding.get(name) ?? Promise.resolve())
    .then(() => daemon.patiently(() => removeContainer(container)))
    // A server that stops while the daemon is away leaves it: the next one that starts removes it.
    .catch(() => {});
  discarding.set(name, removal);
  const forget = () => discarding.get(name) === removal && discarding.delete(name);
  await daemon.unlessAway(removal.then(forget));
}

/** Resolves when what had this name is gone that was to go. */
export async function untilDiscarded(name: string): Promise<void> {
  await discarding.get(name);
}

/** Starts it, or removes it where that fails. Throws `NotBegun`. */
export async function beginContainer(container: Docker.Container): Promise<void> {
  try {
    await container.start();
  } catch (error) {
    // Answered: it was started already, and the answer was lost.
    if (statusOf(error) === 304) return;
    if (statusOf(error) !== undefined) await removeContainer(container);
    explain(error);
  }
}

/** Ends it at once where it runs, and removes it with what is nobody else's. It need not be there. */
export async function removeContainer(container: Docker.Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true });
  } catch (error) {
    // 409: it is being removed already.
    if (statusOf(error) === 409) await container.wait({ condition: 'removed' }).catch(() => {});
    else if (!isMissing(error)) throw error;
  }
}

/**
 * Resolves with a container's state when it runs no more, and whether it ended while the daemon was away: while that is
 * so, a container has no end. Rejects with the signal's reason, and where the container is gone.
 */
export async function untilExit(
  daemon: Daemon,
  container: Docker.Container,
  signal: AbortSignal,
): Promise<{ state: Docker.ContainerInspectInfo['State']; wentAway: boolean }> {
  for (let wentAway = false; ; ) {
    try {
      await daemon.answering(signal);
      const { State: state } = await container.inspect({ abortSignal: daemon.present(signal) });
      if (!state.Running) return { state, wentAway };
      // It has outlived that: what ends it from here on is its own.
      wentAway = false;
      const present = daemon.present(signal);
      // An answer that is cut off by the end of the daemon never comes to an end in the library.
      await Promise.race([container.wait({ abortSignal: present }), aborted(present)]);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error)) throw error;
      wentAway = true;
      await wait(AWAY_MS);
    }
  }
}

const AWAY_MS = 100;

const FULL = /no available IPv4 addresses/;
/** What the OCI runtime says of a program that an image does not have. */
const NO_PROGRAM = /exec: "([^"]*)":.*(executable file not found|no such file or directory)/;

/** Throws `StepFailure` or `NotBegun` for what Docker answered. */
export function explain(error: unknown): never {
  if (!(error instanceof Error) || statusOf(error) === undefined) throw error;
  if (FULL.test(error.message))
    throw new StepFailure('start', 'Start failed: too many containers of this project run at once.');
  const said = 'json' in error ? (error.json as { message?: string } | null)?.message : undefined;
  throw new NotBegun(endingOfUnbegun(said ?? error.message));
}

/** The end of a container that Docker could not start, by what it said of that. */
export function endingOfUnbegun(said: string): Ending {
  const [, program] = NO_PROGRAM.exec(said) ?? [];
  const reason = program === undefined ? withoutOptions(said) : `the image has no ${program}`;
  return { how: `could not be started (${reason})`, exit: null, awaitsDisk: isMountFailure(new Error(said)) };
}
