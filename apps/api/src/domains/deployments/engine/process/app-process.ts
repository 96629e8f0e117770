import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from '@nephos/db';
import { expandWord } from '../detect/command-line.ts';
import { WEB } from '../detect/plan.ts';
import type { DeployedApp, LogWriter } from '../engine.ts';
import { cacheFolder, type ReleaseFolders } from '../folders.ts';
import { StepFailure } from '../step-failure.ts';
import { placeDisks } from './disks.ts';
import { appEnvironment } from './environment.ts';
import { guard } from './guard.ts';
import { freePort } from './listeners.ts';
import type { ProcessParts } from './process-parts.ts';
import { untilReady } from './readiness.ts';
import { describeExit, type Exit, pipeToLog, spawnCommand } from './run-command.ts';
import type { RunProcess } from './run-processes.ts';
import type { Run } from './runs.ts';

const MB = 1024 ** 2;

export interface StartOptions {
  app: DeployedApp;
  folders: ReleaseFolders;
  process: RunProcess;
  /** Which of the process's instances it is, from 1. */
  instance: number;
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
  /** Called when the app listens and is asked for its health. */
  onListening?: () => Promise<void>;
}

/** How a run ended. */
export interface Ending {
  /** To complete a sentence: 'exited with code 1'. */
  how: string;
  /** Null where it could not be started. */
  exit: Exit | null;
}

/** A run ended before it was ready. */
export class EndedEarly extends StepFailure {
  readonly ending: Ending;

  constructor(message: string, ending: Ending) {
    super('start', message);
    this.ending = ending;
  }
}

/** One run of an instance. */
export interface AppProcess {
  /** Where `web` listens, for example `http://127.0.0.1:41234`; '' of a worker. */
  origin: string;
  /** The port of `origin`, where the app chose it and not we. */
  ownPort: number | null;
  /** Whether its ports are those of the machine, so that nobody else can have the same. */
  sharesPorts: boolean;
  ended: Promise<Ending>;
  stop(grace: number): Promise<void>;
}

/** A run that was started and is not ready yet. */
export interface StartedRun extends Pick<AppProcess, 'ended' | 'stop' | 'sharesPorts'> {
  run: Run;
  /** The one that it was given; undefined for a worker. */
  port: number | undefined;
}

/**
 * Starts an instance and waits until it answers, or, where nobody asks it, has run for a moment. Throws `StepFailure`,
 * or the signal's reason; then nothing is left of it.
 */
export async function startAppProcess(parts: ProcessParts, options: StartOptions): Promise<AppProcess> {
  options.signal.throwIfAborted();
  const { app, process } = options;
  const port = process.name === WEB ? (app.settings.port ?? (await freePort())) : undefined;
  const run = await parts.runs.open(options.account, {
    folders: options.folders,
    mounts: placeDisks(parts, app),
    limits: process.limits,
  });
  const started = launch(parts, options, { port, run });
  const failed = started.ended.then((ending) => {
    const { how } = ending;
    throw new EndedEarly(`Start failed: ${subjectOf(process)} ${how}.${exitHint(how)}`, ending);
  });
  const cancelled = new AbortController();
  const signal = AbortSignal.any([options.signal, cancelled.signal]);
  try {
    const ready =
      port === undefined
        ? wait(parts.limits.workerTime, { origin: '', ownPort: null }, { signal })
        : untilReady(parts, { ...options, signal }, { ...started, port });
    return { ...started, ...(await Promise.race([ready, failed])) };
  } catch (error) {
    await started.stop(0);
    throw error;
  } finally {
    cancelled.abort();
  }
}

function subjectOf({ name, label }: RunProcess): string {
  return name === WEB ? label : `the process ${name} (${label})`;
}

function exitHint(how: string): string {
  return how.includes('code 0') ? ' An app must keep running.' : ' See the log for details.';
}

function launch(
  parts: ProcessParts,
  { app, folders, process, instance, log }: StartOptions,
  { port, run }: { port: number | undefined; run: Run },
): StartedRun {
  const env = appEnvironment(parts, { app, folders, port });
  const argv = process.expand ? process.argv.map((word) => expandWord(word, env)) : process.argv;
  const { appBytes: bytes, appDiskTime: rest, sampleTime } = parts.limits;
  const { limits } = process;
  const child = spawnCommand(parts, { argv, folder: folders.app, env, run, maxFileBytes: bytes });
  pipeToLog(child, log, { process: process.name, instance });
  const stop = async (grace: number) => {
    await run.end(grace);
    await run[Symbol.asyncDispose]();
  };
  const figures = parts.figures.watch(app.projectId, process.name);
  const disk = {
    folders: [folders.release, cacheFolder(parts.root, app.projectId)],
    bytes,
    rest,
    onSize: (size: number) => parts.figures.disk(app.projectId, size),
  };
  const bounds = guard(
    run,
    { memory: limits.memory * MB, processes: limits.tasks, disk, onUsage: figures.sample },
    sampleTime,
  );
  const ended = once(child, 'exit')
    .then(
      (): Ending => {
        const exit = { code: child.exitCode, signal: child.signalCode };
        const { aborted, reason } = bounds.signal;
        return {
          how: aborted ? `was stopped: ${reason.message}` : (run.shortage() ?? describeExit(exit)),
          exit,
        };
      },
      (error: NodeJS.ErrnoException): Ending => ({ how: `could not be started (${error.code})`, exit: null }),
    )
    .finally(() => {
      bounds[Symbol.dispose]();
      figures.end();
    });
  bounds.signal.addEventListener('abort', () => void stop(0), { once: true });
  return { run, port, ended, stop, sharesPorts: !run.hasOwnNetwork };
}
