import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from '@nephos/db';
import { expandWord } from '../detect/command-line.ts';
import { WEB } from '../detect/plan.ts';
import { cacheFolder } from '../folders.ts';
import { describeExit } from '../instances/exit.ts';
import { endedEarly, type Listening, untilReady } from '../instances/readiness.ts';
import type { AppProcess, Ending, StartOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { largestFile, placeDisks } from './disks.ts';
import { appEnvironment } from './environment.ts';
import { guard } from './guard.ts';
import { answers, findListener, freePort, type Listener, portsOf } from './listeners.ts';
import type { ProcessParts } from './process-parts.ts';
import { recentProcesses } from './process-table.ts';
import { pipeToLog, spawnCommand } from './run-command.ts';
import type { Run } from './runs.ts';

const MB = 1024 ** 2;

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
    throw endedEarly(process, ending);
  });
  const cancelled = new AbortController();
  const signal = AbortSignal.any([options.signal, cancelled.signal]);
  try {
    const ready =
      port === undefined
        ? wait(parts.limits.workerTime, { origin: '', ownPort: null }, { signal })
        : untilReady(parts, { ...options, signal }, listeningOf(parts, options, { run, port }));
    return { ...started, ...(await Promise.race([ready, failed])) };
  } catch (error) {
    await started.stop(0);
    throw error;
  } finally {
    cancelled.abort();
  }
}

/** How a run's ports are looked at. */
function listeningOf(
  { limits }: ProcessParts,
  { account }: StartOptions,
  { run, port }: { run: Run; port: number },
): Listening {
  return {
    port,
    sharesPorts: !run.hasOwnNetwork,
    async originOf(asked) {
      const listener = await listenerOf(run, asked, account);
      if (!listener) return undefined;
      if (isOwn(account, listener)) return originOf(listener, asked);
      // Elsewhere than on its own port, it is somebody who has the same port at another address.
      if (asked !== port) return undefined;
      throw new StepFailure(
        'start',
        `Start failed: another program listens on port ${port}. Deploy again, or set another port.`,
      );
    },
    ports: async () => portsOf(run.members(await recentProcesses(limits.healthPoll)).map(({ pid }) => pid)),
  };
}

async function listenerOf(
  run: Run,
  port: number,
  account: Account | undefined,
): Promise<Listener | undefined> {
  if (!run.hasOwnNetwork) return findListener(port, (uid) => isOwn(account, { uid }));
  return (await answers(run.host, port)) ? { host: run.host, uid: undefined } : undefined;
}

/** As far as the system says. */
function isOwn(account: Account | undefined, { uid }: Pick<Listener, 'uid'>): boolean {
  return !account || uid === undefined || uid === account.uid;
}

function originOf({ host }: Listener, port: number): string {
  return host === '::1' ? `http://[::1]:${port}` : `http://${host}:${port}`;
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
  const maxFileBytes = largestFile(parts, app);
  const child = spawnCommand(parts, { argv, folder: folders.app, env, run, maxFileBytes });
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
