import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FRAMEWORKS } from '@nephos/contracts';
import type { RunnableServe } from '../detect/plan.ts';
import type { DeployedApp, FindImage, IsolationFact } from '../engine.ts';
import { releaseFolders } from '../folders.ts';
import { aborted } from '../instances/exit.ts';
import { searchPath } from '../process/toolchain.ts';
import { createProcessRuntime, type RuntimeOptions } from '../runtime/process-runtime.ts';
import { settleAllBackups } from '../runtime/settle-backups.ts';
import type { Runtime } from '../runtime.ts';
import { startAppContainer } from './app-container.ts';
import { sweepBuilds } from './build/build-image.ts';
import { buildContainerRelease } from './build-release.ts';
import { createBuilders } from './builders/builders.ts';
import type { ContainerParts } from './container-parts.ts';
import { openContainerShell } from './container-shell.ts';
import { createDaemon } from './daemon.ts';
import { backupsOnceSettled, createVolumeBackups, sweepVolumeBackups } from './disk-backups.ts';
import { createAppDisks, refuseFormerDisks, removeDisksOf } from './disks.ts';
import { type Firewall, findFirewall } from './firewall.ts';
import { type ContainerServe, dropImages } from './images.ts';
import { type DaemonInfo, isolationOf } from './isolation.ts';
import { createBuilderNetworks, createProjectNetworks } from './project-networks.ts';
import { createReadMarks } from './read-marks.ts';
import { reapContainers } from './reap.ts';
import { runInContainer } from './run-in-container.ts';

/** So long a database that has just begun may take to be reached by containers which run already. */
const RENEWAL_MS = 5000;

export interface ContainerRuntimeOptions extends RuntimeOptions {
  imageOf: FindImage;
}

/** What is not the same wherever containers run. */
export interface ContainerPlace {
  createNetworks: typeof createProjectNetworks;
  /** Whether the rules of this machine hold for its networks of apps. */
  hasFirewall: boolean;
  /** Whether nothing but containers of this daemon can be on a disk when a server starts. */
  holdsDisks: boolean;
}

/** The runtime, and what it starts containers with. */
export interface ContainerRuntime extends Runtime {
  parts: ContainerParts;
  /** Has done with backups that a killed server left. Never rejects. */
  settle(live: readonly DeployedApp[]): Promise<void>;
}

const THIS_MACHINE: ContainerPlace = {
  ...{ createNetworks: createProjectNetworks, hasFirewall: true, holdsDisks: true },
};

/** Apps are containers of the Docker daemon of this machine. Sources are fetched as the process runtime fetches them. */
export function createContainerRuntime(
  options: ContainerRuntimeOptions,
  place = THIS_MACHINE,
): ContainerRuntime {
  const { settings, log, instance, root, limits, figures, ports, resolve, imageOf } = options;
  const daemon = createDaemon({ host: settings.dockerHost, log });
  const sources = createProcessRuntime(options);
  let firewall: Firewall | undefined;
  const ofNetworks = { instance, log, ports, firewall: () => firewall };
  const networks = place.createNetworks(daemon, ofNetworks);
  const builders = createBuilders({
    ...{ daemon, settings, limits, instance, log },
    networks: createBuilderNetworks(daemon, ofNetworks),
  });
  const marks = createReadMarks(join(root, 'containers'));
  const parts: ContainerParts = {
    ...{ settings, limits, figures, daemon, instance, networks, marks, root, resolve, imageOf },
    met: () => whileHere(greeting.promise),
    settled: () => whileHere(settling.promise),
  };
  const whileHere = async (work: Promise<void>) => {
    const over = new AbortController();
    await Promise.race([work, aborted(daemon.present(over.signal))]).finally(() => over.abort());
  };
  const backups = createVolumeBackups({ ...parts, log });
  let isolation: () => readonly IsolationFact[] = () => [];
  const greeting = Promise.withResolvers<void>();
  const settling = Promise.withResolvers<void>();
  let renewal: NodeJS.Timeout | undefined;

  /** What is asked of the daemon once, as soon as it answers. */
  const meet = async (noFirewall: string, live: readonly DeployedApp[]) => {
    const info: DaemonInfo = await daemon.docker.info();
    isolation = () => isolationOf(info, { noFirewall, noBuilders: builders.reason() });
    for (const name of await reapContainers(daemon, instance, live)) marks.forget(name);
    await sweepBuilds(daemon, instance);
    if (place.holdsDisks) await settle(live);
  };
  const settle = async (live: readonly DeployedApp[]) => {
    await settleAllBackups(backups, { live, log });
    await sweepVolumeBackups(parts, backups).catch((error) =>
      log.error({ err: error }, 'backups of disks that nobody needs are still there'),
    );
    settling.resolve();
  };

  let led = '';
  const renew = async () => {
    await firewall?.enforce();
    const wanted = ports().loopback.join();
    // What could not be led once is told of once.
    if (wanted === led) return;
    led = wanted;
    await networks.renew();
  };

  return {
    parts,
    runtimes: () => {
      const reason = daemon.reason() || sources.whyNoSources();
      return FRAMEWORKS.map((framework) => ({ framework, available: reason === '', reason }));
    },
    containers: () => ({ available: daemon.reason() === '', reason: daemon.reason() }),
    isolation: () => isolation(),
    async start(live) {
      await Promise.all([sources.start(live), daemon.start()]);
      const path = searchPath(settings.hostEnvironment);
      const found = await findFirewall({ path, instance, ports });
      if (typeof found !== 'string') firewall = found;
      const noFirewall = typeof found === 'string' ? found : '';
      const met = daemon
        .patiently(() => meet(place.hasFirewall ? noFirewall : '', live))
        .catch((error) => log.error({ err: error }, 'what an earlier server left in Docker is still there'))
        .then(() => {
          greeting.resolve();
          if (place.holdsDisks) settling.resolve();
          void builders.start(noFirewall);
        });
      const fail = (error: unknown) =>
        log.error({ err: error }, 'containers do not reach what there is by now');
      renewal = setInterval(() => void renew().catch(fail), RENEWAL_MS).unref();
      // Where it is away, the server starts nevertheless.
      await daemon.unlessAway(met);
    },
    async close() {
      clearInterval(renewal);
      await builders.close();
      networks.close();
      daemon.close();
      await sources.close();
    },
    async build(build) {
      await refuseFormerDisks(root, build.job);
      return buildContainerRelease({ containers: parts, builders, sources: sources.parts }, build);
    },
    canStart: ({ kind }) => kind !== 'process',
    prepare: ({ app }) => refuseFormerDisks(root, app),
    startInstance: ({ serve, ...start }) => startAppContainer(parts, { ...start, serve: inContainer(serve) }),
    runCommand: ({ serve, ...beside }, command) =>
      runInContainer(parts, { ...beside, serve: inContainer(serve) }, command),
    whyNoTerminal: daemon.reason,
    openShell: ({ serve, ...beside }, options) =>
      openContainerShell(parts, { ...beside, serve: inContainer(serve) }, options),
    disks: createAppDisks(parts),
    repositories: sources.repositories,
    backups: backupsOnceSettled(parts, backups),
    settle,
    async forgetReleases(projectId, releases) {
      // What a daemon that is away keeps is dropped with the next that are superfluous.
      if (daemon.reason() !== '') return;
      const isGone = (release: string) =>
        releases.includes(release) || !existsSync(releaseFolders(root, projectId, release).release);
      await dropImages(daemon, projectId, isGone);
    },
    async removeProject(projectId) {
      // It is tried again later.
      if (daemon.reason() !== '') throw new Error(daemon.reason());
      await builders.remove(projectId);
      await networks.remove(projectId);
      await dropImages(daemon, projectId, () => true);
      await removeDisksOf(parts, projectId);
    },
  };
}

function inContainer(serve: RunnableServe): ContainerServe {
  if (serve.kind !== 'container') throw new Error('the release is of another runtime');
  return serve;
}
