import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reachableFolder, removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import type { Settings } from '../../../../core/env.ts';
import { type Resolve, resolveHost } from '../../../../platform/public-address.ts';
import { type AppFigures, createAppFigures } from '../../../observability/app-figures.ts';
import type { DeployedApp, DeploymentEngine, LiveDeployments } from '../engine.ts';
import { disksFolder, projectFolder, releaseFolders } from '../folders.ts';
import { LIMITS, type Limits, limitsOf } from '../limits.ts';
import { accountOf, instanceOf } from '../process/account.ts';
import { whyNoDisk } from '../process/disks.ts';
import { folderSize } from '../process/folder-size.ts';
import { prepareDisks } from '../process/prepare-disks.ts';
import { createRunGroups } from '../process/run-groups.ts';
import { createRuns } from '../process/runs.ts';
import type { Ports } from '../process/sandbox/network.ts';
import { findSandbox, type Sandbox } from '../process/sandbox/sandbox.ts';
import { findToolchain, runtimesOf, searchPath, type Toolchain } from '../process/toolchain.ts';
import { createTurns, type Turns } from '../process/turns.ts';
import { readManifest, sweepReleases } from '../release/releases.ts';
import { createAppProxy } from '../serve/app-proxy.ts';
import { createAppRoutes } from '../serve/app-routes.ts';
import { createEgress } from '../serve/egress.ts';
import { createAppCommands } from './app-commands.ts';
import { createRetirements } from './retirements.ts';
import { type EngineParts, Interrupted, rollOut } from './roll-out.ts';
import { resumeRelease } from './start-release.ts';

export interface EngineOptions {
  settings: Settings;
  log: Logger;
  live: LiveDeployments;
  /** Counts what apps do and use; by default nobody asks. */
  figures?: AppFigures;
  /** Replaces some of `LIMITS`. */
  limits?: Partial<Limits>;
  resolve?: Resolve;
  /** TCP ports of this machine that apps may connect to; none by default. */
  ports?: () => Ports;
}

const NOT_HELD =
  'Processes of a project that leave their session and their parent are not held to its limits, and outlive its builds. ' +
  'Start Nephos as root, or on Linux allow user namespaces and install util-linux.';

/** The process runtime: apps are processes of this machine (or files, for a static site) behind our own proxy. */
export function createEngine(options: EngineOptions): DeploymentEngine {
  const { settings, log, live, figures = createAppFigures(), resolve = resolveHost } = options;
  const limits = { ...LIMITS, ...limitsOf(settings), ...options.limits };
  const root = reachableFolder(join(settings.dataDir, 'apps'), 'apps');
  const instance = instanceOf(root);
  const runs = createRuns(createRunGroups(join(root, 'runs')), instance, () => parts.sandbox);
  const routes = createAppRoutes();
  const egress = createEgress();
  const retirements = createRetirements({ limits, log });
  const changes = new EventEmitter().setMaxListeners(0);
  const rollOuts = new Set<Promise<unknown>>();
  /** Releases of roll-outs under way. */
  const starting = new Set<string>();
  const stopping = new AbortController();
  let toolchain: Toolchain | undefined;
  let sandbox: Sandbox | undefined;
  /** Whether no process of a project can get away from its run. */
  const isHeld = () =>
    process.getuid?.() === 0 || sandbox?.bubblewrap !== undefined || (toolchain?.namespace.length ?? 0) > 0;

  const parts: EngineParts = {
    settings,
    log,
    live,
    limits,
    root,
    instance,
    runs,
    figures,
    routes,
    retirements,
    resolve,
    isUsed: (release) =>
      starting.has(release) || routes.all().some((app) => app.release === release) || commands.uses(release),
    onProcessChange: (projectId) => void changes.emit(projectId),
    get toolchain() {
      if (!toolchain) throw new Error('the engine was not started');
      return toolchain;
    },
    get sandbox() {
      if (!sandbox) throw new Error('the engine was not started');
      return sandbox;
    },
  };

  const commands = createAppCommands(parts, () => sandbox?.isolation ?? []);

  const stopApp = async (projectId: string, deploymentId?: string) => {
    const app = routes.byProject(projectId);
    // A newer version has come in between: it is not the one that was to stop.
    if (app && deploymentId && app.deploymentId !== deploymentId) return;
    if (app) {
      routes.remove(app);
      await app.stop({ drain: 0 });
    }
    await retirements.ofProject(projectId);
  };

  return {
    ...createAppProxy({ settings, routes, live, log, egress, figures }),
    runtimes: () => runtimesOf(toolchain),
    isolation: () => sandbox?.isolation ?? [],
    collectEgress: egress.collect,
    commands,
    processes: (projectId) => routes.lastOf(projectId)?.processes() ?? [],
    watchProcesses(projectId, listener) {
      changes.on(projectId, listener);
      return () => void changes.off(projectId, listener);
    },
    stopApp,
    async start() {
      const host = settings.hostEnvironment;
      toolchain = await findToolchain({ root, dataDir: settings.dataDir }, host);
      sandbox = await findSandbox({
        path: searchPath(host),
        instance,
        readable: toolchain.places,
        ports: options.ports ?? (() => ({ loopback: [], public: [] })),
        keepsTogether: isHeld(),
      });
      if (!isHeld()) log.warn(NOT_HELD);
      await runs.reap({ byMark: !isHeld() });
      await sweepReleases(root);
      const turns = createTurns(limits.startsAtOnce);
      for (const app of await live.all()) await resume(parts, app, turns);
    },
    mountsDisks: () => sandbox !== undefined && runs.mountsFolders,
    whyNoDisk: (path) => (sandbox ? whyNoDisk(parts, path) : ''),
    async diskUse(projectId, diskId) {
      const folder = join(disksFolder(root, projectId), diskId);
      return existsSync(folder) ? folderSize([folder]) : undefined;
    },
    removeDisk: (projectId, diskId) => removeTree(join(disksFolder(root, projectId), diskId)),
    async stop() {
      stopping.abort(new Interrupted());
      const hurry = { drain: 0, grace: limits.stopTime };
      await Promise.all([...rollOuts, commands.end()]);
      const apps = [...routes.all(), ...retirements.apps()];
      await Promise.all(apps.map((app) => app.stop(hurry)));
      await retirements.all();
      await runs.reap({ byMark: !isHeld() });
      await sandbox?.close();
    },
    run(job, jobLog, signal) {
      const release = job.rollbackOf ?? job.deploymentId;
      starting.add(release);
      const outcome = rollOut(parts, job, jobLog, AbortSignal.any([signal, stopping.signal]));
      rollOuts.add(outcome);
      return outcome.finally(() => {
        rollOuts.delete(outcome);
        starting.delete(release);
      });
    },
    async removeProject(projectId) {
      await Promise.all([stopApp(projectId), commands.end(projectId)]);
      routes.forget(projectId);
      await removeTree(projectFolder(root, projectId));
    },
  };
}

/** Puts an app back on the routes; what cannot be is reported, so that the server starts nevertheless. */
async function resume(parts: EngineParts, app: DeployedApp, turns: Turns): Promise<void> {
  const release = app.rollbackOf ?? app.deploymentId;
  const folders = releaseFolders(parts.root, app.projectId, release);
  try {
    const serve = await readManifest(folders.manifest);
    if (!serve) {
      await parts.live.releasesRemoved([release]);
      throw new Error('there is no such release');
    }
    const log = parts.live.logFor(app);
    log.system('The server restarted.');
    const account = accountOf(app.account, parts.instance);
    const start = { app, folders, serve, account, log };
    if (serve.kind === 'process') await prepareDisks(parts, start);
    parts.routes.switchTo(resumeRelease(parts, start, turns.take));
  } catch (error) {
    parts.log.error({ err: error, deploymentId: app.deploymentId }, 'an app could not be brought back');
    await parts.live.crashed(
      app.deploymentId,
      "The app couldn't be brought back after a server restart. Deploy it again.",
    );
  }
}
