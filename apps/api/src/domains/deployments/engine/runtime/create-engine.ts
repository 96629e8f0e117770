import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { reachableFolder, removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import type { Settings } from '../../../../core/settings.ts';
import { type Resolve, resolveHost } from '../../../../platform/public-address.ts';
import { createSecretsBox, type SecretsBox } from '../../../../platform/secrets-box.ts';
import { type AppFigures, createAppFigures } from '../../../observability/app-figures.ts';
import { type ContainerRuntimeOptions, createContainerRuntime } from '../container/container-runtime.ts';
import type { DeployedApp, DeploymentEngine, FindImage, LiveDeployments } from '../engine.ts';
import { projectFolder, releaseFolders } from '../folders.ts';
import { LIMITS, type Limits, limitsOf } from '../limits.ts';
import { accountOf, instanceOf } from '../process/account.ts';
import type { Ports } from '../process/sandbox/network.ts';
import { createTurns, type Turns } from '../process/turns.ts';
import { readManifest, sweepReleases } from '../release/releases.ts';
import { EndedEarly, type ReleaseStart, type Runtime } from '../runtime.ts';
import { type AppHosts, NO_HOSTS } from '../serve/app-hosts.ts';
import { createAppProxy } from '../serve/app-proxy.ts';
import { createAppRoutes } from '../serve/app-routes.ts';
import { createEgress } from '../serve/egress.ts';
import { StepFailure } from '../step-failure.ts';
import { createSwarmRuntime } from '../swarm/swarm-runtime.ts';
import { createAppCommands } from './app-commands.ts';
import { createProcessRuntime } from './process-runtime.ts';
import { createRetirements } from './retirements.ts';
import { type EngineParts, Interrupted, rollOut } from './roll-out.ts';
import { resumeRelease } from './start-release.ts';
import { trackRepositories } from './track-repositories.ts';

export interface EngineOptions {
  settings: Settings;
  log: Logger;
  live: LiveDeployments;
  /** Counts what apps do and use; by default nobody asks. */
  figures?: AppFigures;
  /** Replaces some of `LIMITS`. */
  limits?: Partial<Limits>;
  resolve?: Resolve;
  /** By default no registry has an image. */
  imageOf?: FindImage;
  /** Host names of apps' own; none by default. */
  hosts?: AppHosts;
  /** TCP ports of this machine that apps may connect to; none by default. */
  ports?: () => Ports;
  /** By default ones of this process alone. */
  secrets?: Pick<SecretsBox, 'deriveKey'>;
}

const RUNTIMES = {
  process: createProcessRuntime,
  docker: (options: ContainerRuntimeOptions) => createContainerRuntime(options),
  swarm: createSwarmRuntime,
};

/** Runs apps by the runtime that the settings choose, behind our own proxy. */
export function createEngine(options: EngineOptions): DeploymentEngine {
  const { settings, log, live, figures = createAppFigures(), resolve = resolveHost } = options;
  const { ports = () => ({ loopback: [], public: [] }), imageOf = async () => null } = options;
  const { hosts = NO_HOSTS } = options;
  const limits = { ...LIMITS, ...limitsOf(settings), ...options.limits };
  const root = reachableFolder(join(settings.dataDir, 'apps'), 'apps');
  const instance = instanceOf(root);
  const { secrets = createSecretsBox(randomBytes(32)) } = options;
  const given = { settings, log, limits, figures, resolve, instance, root, ports, imageOf, secrets };
  const runtime: Runtime = RUNTIMES[settings.deployRuntime](given);
  const routes = createAppRoutes();
  const egress = createEgress();
  const retirements = createRetirements({ limits, log });
  const changes = new EventEmitter().setMaxListeners(0);
  const rollOuts = new Set<Promise<unknown>>();
  /** Releases of roll-outs under way. */
  const starting = new Set<string>();
  const stopping = new AbortController();
  let isRouted = false;
  const parts: EngineParts = {
    ...{ settings, log, live, limits, root, instance, runtime, routes, retirements },
    stopping: stopping.signal,
    isUsed: (release) =>
      starting.has(release) || routes.all().some((app) => app.release === release) || commands.uses(release),
    holdCommands: (projectId) => commands.hold(projectId),
    onProcessChange: (projectId) => void changes.emit(projectId),
  };
  const commands = createAppCommands(parts);

  const repositories = trackRepositories(runtime.repositories);

  const stopApp = async (projectId: string, deploymentId?: string) => {
    const app = routes.byProject(projectId);
    // A newer version has come in between: it is not the one that was to stop.
    if (app && deploymentId && app.deploymentId !== deploymentId) return;
    if (app) {
      routes.remove(app);
      await retirements.end(app);
    }
    await retirements.ofProject(projectId);
  };

  return {
    ...createAppProxy({ ...parts, hosts, egress, figures, isRouted: () => isRouted }),
    ...runtime.disks,
    openRepository: repositories.openRepository,
    hasRepository: repositories.hasRepository,
    runtimes: runtime.runtimes,
    containers: runtime.containers,
    isolation: runtime.isolation,
    cluster: runtime.cluster,
    collectEgress: egress.collect,
    commands,
    processes: (projectId) => routes.lastOf(projectId)?.processes() ?? [],
    watchProcesses(projectId, listener) {
      changes.on(projectId, listener);
      return () => void changes.off(projectId, listener);
    },
    stopApp,
    async start() {
      const apps = await live.all();
      await runtime.start(apps);
      await sweepReleases(root);
      const turns = createTurns(limits.startsAtOnce);
      for (const app of apps) await resume(parts, app, turns);
      isRouted = true;
    },
    async removeDisk(projectId, diskId) {
      // What began before the app was stopped may still have files open there.
      await Promise.all([retirements.ofProject(projectId), commands.end(projectId)]);
      const backups = await runtime.backups.list(projectId);
      for (const backup of backups) if (backup.diskId === diskId) await runtime.backups.drop(backup);
      await runtime.disks.removeDisk(projectId, diskId);
    },
    async stop() {
      stopping.abort(new Interrupted());
      await Promise.all([...rollOuts, commands.end(), repositories.close()]);
      await Promise.all([
        ...routes.all().map((app) => app.leave(limits.stopTime)),
        ...retirements.apps().map((app) => app.stop({ drain: 0, grace: limits.stopTime })),
      ]);
      await retirements.all();
      await runtime.close();
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
      await Promise.all([stopApp(projectId), commands.end(projectId), repositories.close(projectId)]);
      routes.forget(projectId);
      await runtime.removeProject(projectId);
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
    if (!parts.runtime.canStart(serve)) throw new Error('the release is of another runtime');
    const log = parts.live.logFor(app);
    log.system('The server restarted.');
    const account = accountOf(app.account, parts.instance);
    const start = { app, folders, account, log };
    const isUnprepared = serve.kind !== 'static' && !(await isPrepared(parts, { ...start, serve }));
    parts.routes.switchTo(resumeRelease(parts, { ...start, serve, isUnprepared }, turns.take));
  } catch (error) {
    parts.log.error({ err: error, deploymentId: app.deploymentId }, 'an app could not be brought back');
    await parts.live.crashed(
      app.deploymentId,
      error instanceof StepFailure
        ? error.message
        : "The app couldn't be brought back after a server restart. Deploy it again.",
    );
  }
}

/** Makes an app ready to be started; false where that waits for a disk that cannot be mounted now. */
async function isPrepared({ runtime }: EngineParts, start: ReleaseStart): Promise<boolean> {
  try {
    await runtime.prepare(start);
    return true;
  } catch (error) {
    if (error instanceof EndedEarly && error.ending.awaitsDisk) return false;
    throw error;
  }
}
