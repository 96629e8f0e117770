import { once } from 'node:events';
import {
  type AppCommand,
  type AppCommands,
  CannotRunThere,
  type CommandEnd,
  type Shell,
} from '../app-commands.ts';
import { plainWords } from '../detect/command-line.ts';
import type { DeployedApp, LogWriter } from '../engine.ts';
import { cacheFolder, releaseFolders } from '../folders.ts';
import { accountOf } from '../process/account.ts';
import { placeDisks } from '../process/disks.ts';
import { appEnvironment } from '../process/environment.ts';
import { duration, type Guard, guard } from '../process/guard.ts';
import { freePort } from '../process/listeners.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { aborted, describeExit, pipeToLog, spawnCommand } from '../process/run-command.ts';
import { runProcesses } from '../process/run-processes.ts';
import type { Run } from '../process/runs.ts';
import { readManifest } from '../release/releases.ts';
import { openShell } from './app-shell.ts';
import { whyNoTerminal } from './terminal-program.ts';

/** The engine's own view of them. */
export interface CommandsUnderWay extends AppCommands {
  /** Ends those of a project, or all; resolves when nothing of them is left. */
  end(projectId?: string): Promise<void>;
  /** Whether one of them runs, or is about to, in a release. */
  uses(release: string): boolean;
}

/** An app's release, opened for processes beside the app's own. */
export interface Place extends Disposable {
  app: DeployedApp;
  folder: string;
  env: Record<string, string>;
  run: Run;
  bounds: Guard;
}

const MB = 1024 ** 2;
const HOUR = 60 * 60_000;
const NO_RELEASE = "This server doesn't have the app's release any more. Deploy again.";
const STATIC =
  'A static site has no environment to run commands in: only its files are kept after the build.';

export function createAppCommands(
  parts: ProcessParts,
  isolation: AppCommands['isolation'],
): CommandsUnderWay {
  const underWay = new Map<AbortController, { app: DeployedApp; ended: Promise<unknown> }>();

  /** Does work that ends with its project, or with the server. From here on its release is in use. */
  function track<T>(app: DeployedApp, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const ended = work(ending.signal);
    underWay.set(ending, { app, ended });
    return ended.finally(() => underWay.delete(ending));
  }

  return {
    instance: parts.instance,
    isolation,
    has: async (app) => (await manifestOf(parts, app)) !== undefined,
    run: (command, log, signal) =>
      track(command.app, (ending) =>
        runInApp(parts, command, { log, signal: AbortSignal.any([signal, ending]) }),
      ),
    whyNoTerminal,
    async openShell(app, size) {
      const reason = whyNoTerminal();
      if (reason !== '') throw new CannotRunThere(reason);
      const opened = Promise.withResolvers<Shell>();
      void track(app, async (ending) => {
        try {
          const shell = await openShell(parts, await openPlace(parts, app), size);
          ending.addEventListener('abort', () => void shell.close());
          opened.resolve(shell);
          if (ending.aborted) await shell.close();
          await shell.ended;
        } catch (error) {
          opened.reject(error);
        }
      });
      return opened.promise;
    },
    async end(projectId) {
      const meant = [...underWay].filter(([, { app }]) => !projectId || app.projectId === projectId);
      for (const [ending] of meant) ending.abort();
      await Promise.allSettled(meant.map(([, { ended }]) => ended));
    },
    uses: (release) => [...underWay.values()].some(({ app }) => releaseOf(app) === release),
  };
}

type Released = Pick<DeployedApp, 'projectId' | 'deploymentId' | 'rollbackOf'>;

function manifestOf({ root }: ProcessParts, app: Released) {
  return readManifest(releaseFolders(root, app.projectId, releaseOf(app)).manifest);
}

/** The deployment that built it. */
function releaseOf({ rollbackOf, deploymentId }: Released): string {
  return rollbackOf ?? deploymentId;
}

/** Throws `CannotRunThere`. Whoever opened it ends its run. */
async function openPlace(parts: ProcessParts, app: DeployedApp): Promise<Place> {
  const serve = await manifestOf(parts, app);
  if (!serve) throw new CannotRunThere(NO_RELEASE);
  if (serve.kind === 'static') throw new CannotRunThere(STATIC);
  const folders = releaseFolders(parts.root, app.projectId, releaseOf(app));
  // Nothing listens there: many programs only want the variable to be a number.
  const env = appEnvironment(parts, { app, folders, port: await freePort() });
  const [web] = runProcesses(serve, app, parts.limits);
  if (!web) throw new CannotRunThere(NO_RELEASE);
  const { limits } = web;
  const account = accountOf(app.account, parts.instance);
  const run = await parts.runs.open(account, { folders, mounts: placeDisks(parts, app), limits });
  const { appBytes: bytes, appDiskTime: rest, sampleTime } = parts.limits;
  const disk = { folders: [folders.release, cacheFolder(parts.root, app.projectId)], bytes, rest };
  const bounds = guard(run, { memory: limits.memory * MB, processes: limits.tasks, disk }, sampleTime);
  return { app, folder: folders.app, env, run, bounds, [Symbol.dispose]: () => bounds[Symbol.dispose]() };
}

async function runInApp(
  parts: ProcessParts,
  { app, command, timeLimit }: AppCommand,
  { log, signal }: { log: LogWriter; signal: AbortSignal },
): Promise<CommandEnd> {
  try {
    using place = await openPlace(parts, app);
    await using _ = place.run;
    return await runToEnd(parts, place, { command, timeLimit, log, signal });
  } catch (error) {
    if (error instanceof CannotRunThere) return { status: 'failed', exitCode: null, error: error.message };
    throw error;
  }
}

async function runToEnd(
  parts: ProcessParts,
  { folder, env, run, bounds }: Place,
  given: { command: string; timeLimit: number; log: LogWriter; signal: AbortSignal },
): Promise<CommandEnd> {
  const { command, timeLimit, log, signal } = given;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeLimit);
  const cut = AbortSignal.any([signal, bounds.signal, timeout.signal]);
  try {
    if (signal.aborted) return { status: 'cancelled' };
    const argv = plainWords(command) ?? ['sh', '-c', command];
    const child = spawnCommand(parts, { argv, folder, env, run, maxFileBytes: parts.limits.appBytes });
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
    if (timeout.signal.aborted) return { status: 'timed-out', error: tooLong(timeLimit) };
    if (bounds.signal.aborted) return broken(bounds.signal.reason);
    const shortage = run.shortage();
    if (shortage && child.exitCode !== 0) return broken(new Error(`it ${shortage}`));
    return endOf({ code: child.exitCode, signal: child.signalCode });
  } finally {
    clearTimeout(timer);
  }
}

function endOf(exit: Parameters<typeof describeExit>[0]): CommandEnd {
  if (exit.code === 0) return { status: 'succeeded', exitCode: 0 };
  return { status: 'failed', exitCode: exit.code, error: `The command ${describeExit(exit)}.` };
}

function broken(reason: Error): CommandEnd {
  return { status: 'failed', exitCode: null, error: `The command was stopped because ${reason.message}.` };
}

function tooLong(timeLimit: number): string {
  const hours = timeLimit / HOUR;
  const time = Number.isInteger(hours) ? `${hours} hour${hours === 1 ? '' : 's'}` : duration(timeLimit);
  return `The command was stopped because it took more than ${time}.`;
}

function notStarted(program: string, { code }: NodeJS.ErrnoException): string {
  return code === 'ENOENT'
    ? `The program ${program} was not found.`
    : `The program ${program} could not be started (${code}).`;
}
