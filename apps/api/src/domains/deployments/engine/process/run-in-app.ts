import { once } from 'node:events';
import type { CommandEnd } from '../app-commands.ts';
import type { DeployedApp } from '../engine.ts';
import { cacheFolder } from '../folders.ts';
import { broken, endOf, timedOut } from '../instances/command-end.ts';
import { aborted } from '../instances/exit.ts';
import type { Beside, CommandOptions } from '../runtime.ts';
import { largestFile, placeDisks } from './disks.ts';
import { appEnvironment } from './environment.ts';
import { type Guard, guard } from './guard.ts';
import { freePort } from './listeners.ts';
import type { ProcessParts } from './process-parts.ts';
import { pipeToLog, spawnCommand } from './run-command.ts';
import type { Run } from './runs.ts';

const MB = 1024 ** 2;

/** An app's release, opened for processes beside the app's own. */
export interface Place extends Disposable {
  app: DeployedApp;
  folder: string;
  env: Record<string, string>;
  run: Run;
  bounds: Guard;
}

/** Whoever opened it ends its run. */
export async function openPlace(
  parts: ProcessParts,
  { app, folders, account, limits }: Beside,
): Promise<Place> {
  // Nothing listens there: many programs only want the variable to be a number.
  const env = appEnvironment(parts, { app, folders, port: await freePort() });
  const run = await parts.runs.open(account, { folders, mounts: placeDisks(parts, app), limits });
  const { appBytes: bytes, appDiskTime: rest, sampleTime } = parts.limits;
  const disk = { folders: [folders.release, cacheFolder(parts.root, app.projectId)], bytes, rest };
  const bounds = guard(run, { memory: limits.memory * MB, processes: limits.tasks, disk }, sampleTime);
  return { app, folder: folders.app, env, run, bounds, [Symbol.dispose]: () => bounds[Symbol.dispose]() };
}

/** Runs a command beside an app to its end. */
export async function runInApp(
  parts: ProcessParts,
  beside: Beside,
  options: CommandOptions,
): Promise<CommandEnd> {
  using place = await openPlace(parts, beside);
  await using _ = place.run;
  return await runToEnd(parts, place, options);
}

async function runToEnd(
  parts: ProcessParts,
  { app, folder, env, run, bounds }: Place,
  { argv, timeLimit, log, signal }: CommandOptions,
): Promise<CommandEnd> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeLimit);
  const cut = AbortSignal.any([signal, bounds.signal, timeout.signal]);
  try {
    if (signal.aborted) return { status: 'cancelled' };
    const maxFileBytes = largestFile(parts, app);
    const child = spawnCommand(parts, { argv, folder, env, run, maxFileBytes });
    pipeToLog(child, log);
    const exited = once(child, 'exit').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    const closed = once(child, 'close').catch(() => undefined);
    const fault = await Promise.race([exited, aborted(cut).catch(() => undefined)]);
    await run.end(cut.aborted ? parts.limits.killTime : 0);
    if (fault) return { status: 'failed', exitCode: null, error: notStarted(argv[0] ?? '', fault) };
    await closed;
    if (signal.aborted) return { status: 'cancelled' };
    if (timeout.signal.aborted) return timedOut(timeLimit);
    if (bounds.signal.aborted) return broken(bounds.signal.reason.message);
    const shortage = run.shortage();
    if (shortage && child.exitCode !== 0) return broken(`it ${shortage}`);
    return endOf({ code: child.exitCode, signal: child.signalCode });
  } finally {
    clearTimeout(timer);
  }
}

function notStarted(program: string, { code }: NodeJS.ErrnoException): string {
  return code === 'ENOENT'
    ? `The program ${program} was not found.`
    : `The program ${program} could not be started (${code}).`;
}
