import { join } from 'node:path';
import { reachableFolder, removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import type { Settings } from '../../../../core/env.ts';
import { type Resolve, resolveHost } from '../../../../platform/public-address.ts';
import type { DeployedApp, DeploymentEngine, LiveDeployments } from '../engine.ts';
import { projectFolder, releaseFolders } from '../folders.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { accountOf, instanceOf } from '../process/account.ts';
import { createRunGroups } from '../process/run-groups.ts';
import { createRuns } from '../process/runs.ts';
import { findToolchain, runtimesOf, type Toolchain } from '../process/toolchain.ts';
import { readManifest, sweepReleases } from '../release/releases.ts';
import { createAppProxy } from '../serve/app-proxy.ts';
import { createAppRoutes } from '../serve/app-routes.ts';
import { createEgress } from '../serve/egress.ts';
import { createRetirements } from './retirements.ts';
import { type EngineParts, Interrupted, rollOut } from './roll-out.ts';
import { resumeRelease } from './start-release.ts';

export interface EngineOptions {
  settings: Settings;
  log: Logger;
  live: LiveDeployments;
  /** Replaces some of `LIMITS`. */
  limits?: Partial<Limits>;
  resolve?: Resolve;
}

const NOT_HELD =
  'Processes of a project that leave their session and their parent are not held to its limits, and outlive its builds. ' +
  'Start Nephos as root, or on Linux allow user namespaces and install util-linux.';

/** The process runtime: apps are processes of this machine (or files, for a static site) behind our own proxy. */
export function createEngine(options: EngineOptions): DeploymentEngine {
  const { settings, log, live, resolve = resolveHost } = options;
  const limits = { ...LIMITS, ...options.limits };
  const root = reachableFolder(join(settings.dataDir, 'apps'), 'apps');
  const instance = instanceOf(root);
  const runs = createRuns(createRunGroups(join(root, 'runs')), instance);
  const routes = createAppRoutes();
  const egress = createEgress();
  const retirements = createRetirements({ limits, log });
  const rollOuts = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let toolchain: Toolchain | undefined;
  /** Whether no process of a project can get away from its run. */
  const isHeld = () => process.getuid?.() === 0 || (toolchain?.namespace.length ?? 0) > 0;

  const parts: EngineParts = {
    settings,
    log,
    live,
    limits,
    root,
    instance,
    runs,
    routes,
    retirements,
    resolve,
    get toolchain() {
      if (!toolchain) throw new Error('the engine was not started');
      return toolchain;
    },
  };

  const stopApp = async (projectId: string, deploymentId?: string) => {
    const app = routes.byProject(projectId);
    // A newer version has come in between: it is not the one that was to stop.
    if (app && deploymentId && app.deploymentId !== deploymentId) return;
    if (app) {
      routes.remove(app);
      await app.stop({ drain: 0, grace: limits.killTime });
    }
    await retirements.ofProject(projectId);
  };

  return {
    ...createAppProxy({ settings, routes, live, log, egress }),
    runtimes: () => runtimesOf(toolchain),
    collectEgress: egress.collect,
    stopApp,
    async start() {
      toolchain = await findToolchain(join(root, 'toolchain'), settings.hostEnvironment);
      if (!isHeld()) log.warn(NOT_HELD);
      await runs.reap({ byMark: !isHeld() });
      await sweepReleases(root);
      for (const app of await live.all()) await resume(parts, app);
    },
    async stop() {
      stopping.abort(new Interrupted());
      const hurry = { drain: 0, grace: limits.stopTime };
      await Promise.all(rollOuts);
      const apps = [...routes.all(), ...retirements.apps()];
      await Promise.all(apps.map((app) => app.stop(hurry)));
      await retirements.all();
      await runs.reap({ byMark: !isHeld() });
    },
    run(job, jobLog, signal) {
      const outcome = rollOut(parts, job, jobLog, AbortSignal.any([signal, stopping.signal]));
      rollOuts.add(outcome);
      return outcome.finally(() => rollOuts.delete(outcome));
    },
    async removeProject(projectId) {
      await stopApp(projectId);
      await removeTree(projectFolder(root, projectId));
    },
  };
}

/** Puts an app back on the routes; what cannot be is reported, so that the server starts nevertheless. */
async function resume(parts: EngineParts, app: DeployedApp): Promise<void> {
  const release = app.rollbackOf ?? app.deploymentId;
  const folders = releaseFolders(parts.root, app.projectId, release);
  try {
    const serve = await readManifest(folders.manifest);
    if (!serve) {
      await parts.live.releasesRemoved([release]);
      throw new Error('there is no such release');
    }
    const log = parts.live.logFor(app.deploymentId);
    log.system('The server restarted.');
    const account = accountOf(app.account, parts.instance);
    parts.routes.switchTo(resumeRelease(parts, { app, folders, serve, account, log }));
  } catch (error) {
    parts.log.error({ err: error, deploymentId: app.deploymentId }, 'an app could not be brought back');
    await parts.live.crashed(
      app.deploymentId,
      "The app couldn't be brought back after a server restart. Deploy it again.",
    );
  }
}
