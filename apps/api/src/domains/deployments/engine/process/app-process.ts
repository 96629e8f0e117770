import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from '@nephos/db';
import { expandWord } from '../detect/command-line.ts';
import type { Serve } from '../detect/plan.ts';
import type { DeployedApp, LogWriter } from '../engine.ts';
import { cacheFolder, type ReleaseFolders } from '../folders.ts';
import { StepFailure } from '../step-failure.ts';
import { appEnvironment } from './environment.ts';
import { duration, guard } from './guard.ts';
import { askHealth } from './health.ts';
import { findListener, freePort } from './listeners.ts';
import type { ProcessParts } from './process-parts.ts';
import { describeExit, pipeToLog, spawnCommand } from './run-command.ts';
import type { Run } from './runs.ts';

export interface StartOptions {
  app: DeployedApp;
  folders: ReleaseFolders;
  serve: Extract<Serve, { kind: 'process' }>;
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
  /** Called when the app listens and is asked for its health. */
  onListening?: () => Promise<void>;
}

/** One run of an app's processes. */
export interface AppProcess {
  /** Where it listens, for example `http://127.0.0.1:41234`. */
  origin: string;
  /** Resolves with how it ended, to complete a sentence. */
  ended: Promise<string>;
  stop(grace: number): Promise<void>;
}

/** Starts an app and waits until it answers. Throws `StepFailure`, or the signal's reason; then nothing is left of it. */
export async function startAppProcess(parts: ProcessParts, options: StartOptions): Promise<AppProcess> {
  options.signal.throwIfAborted();
  const port = await freePort();
  const running = launch(parts, options, { port, run: await parts.runs.open(options.account) });
  const failed = running.ended.then((how) => {
    throw new StepFailure('start', `Start failed: ${options.serve.label} ${how}.${exitHint(how)}`);
  });
  const cancelled = new AbortController();
  try {
    const ready = becomeReady(parts, options, {
      port,
      signal: AbortSignal.any([options.signal, cancelled.signal]),
    });
    const origin = await Promise.race([ready, failed]);
    return { ...running, origin };
  } catch (error) {
    await running.stop(0);
    throw error;
  } finally {
    cancelled.abort();
  }
}

function exitHint(how: string): string {
  return how.includes('code 0') ? ' An app must keep running.' : ' See the log for details.';
}

function launch(
  parts: ProcessParts,
  { app, folders, serve, log }: StartOptions,
  { port, run }: { port: number; run: Run },
) {
  const env = appEnvironment(parts, { app, folders, port });
  const argv = serve.expand ? serve.argv.map((word) => expandWord(word, env)) : serve.argv;
  const { appMemory: memory, appBytes: bytes, appDiskTime: rest, processes, sampleTime } = parts.limits;
  const child = spawnCommand(parts, { argv, folder: folders.app, env, run, maxFileBytes: bytes });
  pipeToLog(child, log);
  const stop = async (grace: number) => {
    await run.end(grace);
    await run[Symbol.asyncDispose]();
  };
  const disk = { folders: [folders.release, cacheFolder(parts.root, app.projectId)], bytes, rest };
  const bounds = guard(run, { memory, processes, disk }, sampleTime);
  const ended = once(child, 'exit')
    .then(
      () =>
        bounds.signal.aborted
          ? `was stopped: ${bounds.signal.reason.message}`
          : describeExit({ code: child.exitCode, signal: child.signalCode }),
      (error: NodeJS.ErrnoException) => `could not be started (${error.code})`,
    )
    .finally(() => bounds[Symbol.dispose]());
  bounds.signal.addEventListener('abort', () => void stop(0), { once: true });
  return { ended, stop };
}

async function becomeReady(
  parts: ProcessParts,
  options: StartOptions,
  { port, signal }: { port: number; signal: AbortSignal },
): Promise<string> {
  const origin = await untilListening(parts, options, { port, signal });
  await options.onListening?.();
  await untilHealthy(parts, options, { origin, signal });
  return origin;
}

async function untilListening(
  { limits }: ProcessParts,
  { serve, account }: StartOptions,
  { port, signal }: { port: number; signal: AbortSignal },
): Promise<string> {
  const deadline = Date.now() + limits.listenTime;
  while (Date.now() < deadline) {
    const listener = await findListener(port);
    if (listener) {
      if (account && listener.uid !== undefined && listener.uid !== account.uid) {
        throw new StepFailure('start', 'Start failed: another program took the port. Deploy again.');
      }
      return listener.host === '::1' ? `http://[::1]:${port}` : `http://${listener.host}:${port}`;
    }
    await wait(limits.healthPoll, undefined, { signal });
  }
  throw new StepFailure(
    'start',
    `Start failed: ${serve.label} did not listen on port ${port} within ${duration(limits.listenTime)}. Make it listen on the port in the PORT environment variable.`,
  );
}

async function untilHealthy(
  { limits, settings }: ProcessParts,
  { app }: StartOptions,
  { origin, signal }: { origin: string; signal: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + limits.healthTime;
  const host = `${app.slug}.${settings.appsDomain}`;
  let said = '';
  while (Date.now() < deadline) {
    const answer = await askHealth(origin, {
      path: app.healthPath,
      host,
      timeout: limits.healthRequestTime,
      signal,
    });
    if (answer.healthy) return;
    said = answer.said;
    await wait(limits.healthPoll, undefined, { signal });
  }
  throw new StepFailure(
    'health',
    `Health check failed: ${app.healthPath || 'the app'} ${said} for ${duration(limits.healthTime)}.`,
  );
}
