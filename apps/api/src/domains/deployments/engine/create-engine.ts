import { join } from 'node:path';
import { reachableFolder, removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import type { Settings } from '../../../env.ts';
import { readManifest } from './build/release-manifest.ts';
import { sweepReleases } from './build/releases.ts';
import type { DeploymentEngine } from './engine.ts';
import type { EngineDeps } from './engine-deps.ts';
import { projectFolder, releaseFolders } from './folders.ts';
import { instanceOf } from './instance.ts';
import { LIMITS, type Limits } from './limits.ts';
import { accountOf } from './process/account.ts';
import { createRunGroups } from './process/run-groups.ts';
import { createRuns } from './process/runs.ts';
import { findToolchain, type Toolchain } from './process/toolchain.ts';
import { Interrupted, runDeployment } from './run-deployment.ts';
import { runtimesOf } from './runtimes.ts';
import type { DeployedApp, LiveDeployments } from './seams.ts';
import { createAppProxy } from './serve/app-proxy.ts';
import { createAppRoutes } from './serve/app-routes.ts';
import { createEgress } from './serve/egress.ts';
import { type Resolve, resolveHost } from './source/repository-address.ts';
import { resumeRelease } from './start-release.ts';
import { createTasks } from './tasks.ts';

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
export function createEngine({
  settings,
  log,
  live,
  limits,
  resolve = resolveHost,
}: EngineOptions): DeploymentEngine {
  const root = reachableFolder(join(settings.dataDir, 'apps'), 'apps');
  const instance = instanceOf(root);
  const runs = createRuns(createRunGroups(join(root, 'runs')), instance);
  const routes = createAppRoutes();
  const jobs = createTasks();
  const retirements = createTasks();
  const stopping = new AbortController();
  let toolchain: Toolchain | undefined;
  /** Whether no process of a project can get away from its run. */
  const isHeld = () => process.getuid?.() === 0 || (toolchain?.namespace.length ?? 0) > 0;

  const deps: EngineDeps = {
    settings,
    log,
    live,
    root,
    instance,
    runs,
    routes,
    egress: createEgress(),
    resolve,
    limits: { ...LIMITS, ...limits },
    get toolchain() {
      if (!toolchain) throw new Error('the engine was not started');
      return toolchain;
    },
    retire(app, after) {
      const { drainTime: drain, killTime: grace } = deps.limits;
      const retired = (app?.stop({ drain, grace }) ?? Promise.resolve()).then(after);
      retirements.add(
        app?.projectId ?? '',
        retired.catch((error) => log.error({ err: error }, 'retiring an app')),
        app,
      );
    },
  };

  const stopApp = async (projectId: string, deploymentId?: string) => {
    const app = routes.byProject(projectId);
    // A newer version has come in between: it is not the one that was to stop.
    if (app && deploymentId && app.deploymentId !== deploymentId) return;
    if (app) {
      routes.remove(app);
      await app.stop({ drain: 0, grace: deps.limits.killTime });
    }
    await retirements.of(projectId);
  };

  return {
    ...createAppProxy(deps),
    runtimes: () => runtimesOf(toolchain),
    takeEgress: deps.egress.take,
    stopApp,
    async start() {
      toolchain = await findToolchain(join(root, 'toolchain'), settings.hostEnvironment);
      if (!isHeld()) log.warn(NOT_HELD);
      await runs.reap({ byMark: !isHeld() });
      await sweepReleases(root);
      for (const app of await live.all()) await resume(deps, app);
    },
    async stop() {
      stopping.abort(new Interrupted());
      const hurry = { drain: 0, grace: deps.limits.stopTime };
      await jobs.all();
      const apps = [...routes.all(), ...retirements.apps()];
      await Promise.all(apps.map((app) => app.stop(hurry)));
      await retirements.all();
      await runs.reap({ byMark: !isHeld() });
    },
    run(job, jobLog, signal) {
      const outcome = runDeployment(deps, job, jobLog, AbortSignal.any([signal, stopping.signal]));
      jobs.add(job.projectId, outcome);
      return outcome;
    },
    async removeProject(projectId) {
      await stopApp(projectId);
      await removeTree(projectFolder(root, projectId));
    },
  };
}

/** Puts an app back on the routes; what cannot be is reported, so that the server starts nevertheless. */
async function resume(deps: EngineDeps, app: DeployedApp): Promise<void> {
  const folders = releaseFolders(deps.root, app.projectId, app.rollbackOf ?? app.deploymentId);
  try {
    const serve = await readManifest(folders.manifest);
    if (!serve) throw new Error('there is no such release');
    const log = deps.live.logFor(app.deploymentId);
    log.system('The server was started again.');
    const account = accountOf(app.account, deps.instance);
    deps.routes.switchTo(resumeRelease(deps, { app, folders, serve, account, log }));
  } catch (error) {
    deps.log.error({ err: error, deploymentId: app.deploymentId }, 'an app could not be brought back');
    await deps.live.crashed(app.deploymentId, 'The app could not be started again: its release is gone.');
  }
}
