import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { byteSize } from '../../../../platform/byte-size.ts';
import { CannotRunThere, type CommandEnd } from '../app-commands.ts';
import type { LogWriter } from '../engine.ts';
import { broken, endOf, timedOut } from '../instances/command-end.ts';
import { freePort } from '../process/listeners.ts';
import type { Beside, CommandOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { watchDisk } from './container-figures.ts';
import { followLog } from './container-log.ts';
import type { ContainerParts } from './container-parts.ts';
import { isAway, isMissing } from './daemon.ts';
import type { ContainerServe } from './images.ts';
import { BESIDE, besideName } from './names.ts';
import { beginContainer, createContainer, discardContainer, NotBegun, untilExit } from './open-container.ts';
import { releaseImage } from './release-image.ts';

const MB = 1024 ** 2;

export type BesideContainer = Beside & { serve: ContainerServe };

/**
 * Makes a container of an app's release beside the app, with all that the app has. Throws `CannotRunThere`, or the
 * signal's reason.
 */
export async function createBeside(
  parts: ContainerParts,
  { app, serve, limits }: BesideContainer,
  {
    command,
    hasTerminal = false,
    signal,
  }: { command: readonly string[]; hasTerminal?: boolean; signal: AbortSignal },
): Promise<Docker.Container> {
  const reason = parts.daemon.reason();
  if (reason !== '') throw new CannotRunThere(reason);
  const origin = { process: BESIDE, instance: 1 };
  // Nothing listens there: many programs only want the variable to be a number.
  const port = await freePort();
  try {
    await parts.met();
    const image = await releaseImage(parts, { app, serve, signal });
    return await createContainer(parts, {
      ...{ app, image, name: besideName(app), origin, command, port, limits, hasTerminal },
      ...{ expand: false, isAlone: true },
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StepFailure) throw new CannotRunThere(error.message);
    if (error instanceof NotBegun) throw new CannotRunThere(`The command ${error.message}.`);
    if (isAway(error)) throw new CannotRunThere(parts.daemon.away);
    throw error;
  }
}

/** Runs a command in a container of its own to its end; nothing of it is left then. */
export async function runInContainer(
  parts: ContainerParts,
  beside: BesideContainer,
  { argv, timeLimit, log, signal }: CommandOptions,
): Promise<CommandEnd> {
  if (signal.aborted) return { status: 'cancelled' };
  const container = await createBeside(parts, beside, { command: argv, signal }).catch((error) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  if (!container) return { status: 'cancelled' };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeLimit);
  const over = new AbortController();
  let breach = '';
  try {
    await beginContainer(container);
    const onFull = (reason: string) => {
      breach = reason;
    };
    watchDisk(parts, container, { onFull, signal: over.signal });
    const output = followLog(parts.daemon, container, { after: '', onPiece: writeTo(log) });
    const cut = AbortSignal.any([signal, timeout.signal]);
    const exited = await untilExit(parts.daemon, container, cut).catch((error) => {
      if (!cut.aborted) throw error;
      return undefined;
    });
    const t = Math.ceil(parts.limits.killTime / 1000);
    if (!exited) await parts.daemon.unlessAway(container.stop({ t }));
    await Promise.race([output.ended, wait(LAST_WORDS_MS)]);
    if (signal.aborted) return { status: 'cancelled' };
    if (timeout.signal.aborted) return timedOut(timeLimit);
    if (breach !== '') return broken(breach);
    return endOfContainer(exited?.state, beside.limits.memory);
  } catch (error) {
    if (isMissing(error)) return broken('its container was removed from Docker');
    if (isAway(error)) return { status: 'failed', exitCode: null, error: parts.daemon.away };
    if (!(error instanceof NotBegun)) throw error;
    return { status: 'failed', exitCode: null, error: `The command ${error.message}.` };
  } finally {
    clearTimeout(timer);
    over.abort();
    await discardContainer(parts.daemon, container.id);
  }
}

const LAST_WORDS_MS = 2000;

function writeTo(log: Pick<LogWriter, 'write'>) {
  return ({ stream, text }: { stream: 'stdout' | 'stderr'; text: string }) => log.write(stream, text);
}

function endOfContainer(state: Docker.ContainerInspectInfo['State'] | undefined, memory: number): CommandEnd {
  const { ExitCode = null, OOMKilled = false } = state ?? {};
  if (OOMKilled && ExitCode !== 0) return broken(`it ran out of memory (${byteSize(memory * MB)})`);
  return endOf({ code: ExitCode, signal: null });
}
