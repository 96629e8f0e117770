import {
  type AppCommand,
  type AppCommands,
  CannotRunThere,
  type CommandEnd,
  type Shell,
} from '../app-commands.ts';
import { whyUnsettled } from '../backup-files.ts';
import { plainWords } from '../detect/command-line.ts';
import type { DeployedApp, LogWriter } from '../engine.ts';
import { releaseFolders } from '../folders.ts';
import { runProcesses } from '../instances/run-processes.ts';
import { accountOf } from '../process/account.ts';
import { readManifest } from '../release/releases.ts';
import type { Beside } from '../runtime.ts';
import type { EngineParts } from './roll-out.ts';

/** The engine's own view of them. */
export interface CommandsUnderWay extends AppCommands {
  /** Ends those of a project, or all; resolves when nothing of them is left. */
  end(projectId?: string): Promise<void>;
  /** Ends those of a project as well, and refuses others until the answer is disposed of. */
  hold(projectId: string): Promise<Disposable>;
  /** Whether one of them runs, or is about to, in a release. */
  uses(release: string): boolean;
}

type Parts = Pick<EngineParts, 'root' | 'instance' | 'limits' | 'runtime'>;

const NO_RELEASE = "This server doesn't have the app's release any more. Deploy again.";
const STATIC =
  'A static site has no environment to run commands in: only its files are kept after the build.';
const OTHER_RUNTIME =
  'The app was built for another setting of DEPLOY_RUNTIME. Deploy again to run commands in it.';

const HELD = 'The app is being updated. Try again in a few minutes.';

const ENDED = 'The session was ended before it was open. Try again in a few minutes.';

export function createAppCommands(parts: Parts): CommandsUnderWay {
  const underWay = new Map<AbortController, { app: DeployedApp; ended: Promise<unknown> }>();

  /** Projects in which none may begin. */
  const held = new Set<string>();

  /** Does work that ends with its project, or with the server. From here on its release is in use. */
  function track<T>(app: DeployedApp, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
    if (held.has(app.projectId)) return Promise.reject(new CannotRunThere(HELD));
    const ending = new AbortController();
    const ended = work(ending.signal);
    underWay.set(ending, { app, ended });
    return ended.finally(() => underWay.delete(ending));
  }

  async function end(projectId?: string): Promise<void> {
    const meant = [...underWay].filter(([, { app }]) => !projectId || app.projectId === projectId);
    for (const [ending] of meant) ending.abort();
    await Promise.allSettled(meant.map(([, { ended }]) => ended));
  }

  return {
    instance: parts.instance,
    isolation: () => parts.runtime.isolation(),
    has: async (app) => (await manifestOf(parts, app)) !== undefined,
    run: (command, log, signal) =>
      track(command.app, (ending) =>
        runInApp(parts, command, { log, signal: AbortSignal.any([signal, ending]) }),
      ).catch(failedEnd),
    whyNoTerminal: () => parts.runtime.whyNoTerminal(),
    async openShell(app, size) {
      const reason = parts.runtime.whyNoTerminal();
      if (reason !== '') throw new CannotRunThere(reason);
      const opened = Promise.withResolvers<Shell>();
      track(app, async (ending) => {
        try {
          const beside = await findBeside(parts, app);
          const shell = await parts.runtime.openShell(beside, { size, signal: ending });
          ending.addEventListener('abort', () => void shell.close());
          opened.resolve(shell);
          if (ending.aborted) await shell.close();
          await shell.ended;
        } catch (error) {
          opened.reject(ending.aborted ? new CannotRunThere(ENDED) : error);
        }
      }).catch(opened.reject);
      return opened.promise;
    },
    end,
    async hold(projectId) {
      held.add(projectId);
      await end(projectId);
      return { [Symbol.dispose]: () => void held.delete(projectId) };
    },
    uses: (release) => [...underWay.values()].some(({ app }) => releaseOf(app) === release),
  };
}

type Released = Pick<DeployedApp, 'projectId' | 'deploymentId' | 'rollbackOf'>;

function manifestOf({ root }: Parts, app: Released) {
  return readManifest(releaseFolders(root, app.projectId, releaseOf(app)).manifest);
}

/** The deployment that built it. */
function releaseOf({ rollbackOf, deploymentId }: Released): string {
  return rollbackOf ?? deploymentId;
}

/** Throws `CannotRunThere`. */
async function findBeside(parts: Parts, app: DeployedApp): Promise<Beside> {
  const serve = await manifestOf(parts, app);
  if (!serve) throw new CannotRunThere(NO_RELEASE);
  if (serve.kind === 'static') throw new CannotRunThere(STATIC);
  if (!parts.runtime.canStart(serve)) throw new CannotRunThere(OTHER_RUNTIME);
  const reason = await whyUnsettled(parts.root, { app, serve });
  if (reason !== '') throw new CannotRunThere(reason);
  const [web] = runProcesses(serve, app, parts.limits);
  if (!web) throw new CannotRunThere(NO_RELEASE);
  const folders = releaseFolders(parts.root, app.projectId, releaseOf(app));
  const account = accountOf(app.account, parts.instance);
  return { app, folders, serve, account, limits: web.limits };
}

async function runInApp(
  parts: Parts,
  { app, command, timeLimit }: AppCommand,
  { log, signal }: { log: LogWriter; signal: AbortSignal },
): Promise<CommandEnd> {
  const argv = plainWords(command) ?? ['sh', '-c', command];
  const beside = await findBeside(parts, app);
  return parts.runtime.runCommand(beside, { argv, timeLimit, log, signal });
}

function failedEnd(error: unknown): CommandEnd {
  if (error instanceof CannotRunThere) return { status: 'failed', exitCode: null, error: error.message };
  throw error;
}
