import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../../../core/settings.ts';
import type { Resolve } from '../../../../platform/public-address.ts';
import type { AppFigures } from '../../../observability/app-figures.ts';
import { refuseUnsettled, sweepBackups } from '../backup-files.ts';
import type { Limits } from '../limits.ts';
import { startAppProcess } from '../process/app-process.ts';
import { openShell } from '../process/app-shell.ts';
import { createDiskBackups } from '../process/disk-backups.ts';
import { type DiskImages, findDiskImages } from '../process/disk-images.ts';
import { createDiskStore } from '../process/disk-store.ts';
import { whyNoDisk } from '../process/disks.ts';
import { prepareDisks } from '../process/prepare-disks.ts';
import { createRunGroups } from '../process/run-groups.ts';
import { openPlace, runInApp } from '../process/run-in-app.ts';
import { createRuns } from '../process/runs.ts';
import type { Ports } from '../process/sandbox/network.ts';
import { findSandbox, type Sandbox } from '../process/sandbox/sandbox.ts';
import { whyNoTerminal } from '../process/terminal-program.ts';
import { findToolchain, runtimesOf, searchPath, type Toolchain } from '../process/toolchain.ts';
import { buildRelease } from '../release/build-release.ts';
import type { Runtime } from '../runtime.ts';
import type { BuildParts } from '../source/clone.ts';
import { hasOwnRepository, openOwnRepository } from '../source/own-repository.ts';
import { settleAllBackups } from './settle-backups.ts';

export interface RuntimeOptions {
  settings: Settings;
  log: Logger;
  limits: Limits;
  figures: AppFigures;
  resolve: Resolve;
  /** Names this installation, over its restarts. */
  instance: string;
  /** Holds a folder per project. */
  root: string;
  /** TCP ports of this machine that apps may connect to. */
  ports: () => Ports;
}

/** The process runtime, and what it builds with. */
export interface ProcessRuntime extends Runtime {
  parts: BuildParts;
  /** Why repositories cannot be fetched, as a sentence; '' where they can. */
  whyNoSources(): string;
}

const NOT_HELD =
  'Processes of a project that leave their session and their parent are not held to its limits, and outlive its builds. ' +
  'Start Nephos as root, or on Linux allow user namespaces and install util-linux.';

const NO_CONTAINERS =
  'Images and Dockerfiles need a container runtime. Set DEPLOY_RUNTIME=docker on the server.';

/** Apps are processes of this machine, as confined as it lets them be. */
export function createProcessRuntime(options: RuntimeOptions): ProcessRuntime {
  const { settings, log, instance, root } = options;
  const runs = createRuns(createRunGroups(join(root, 'runs')), instance, () => parts.sandbox);
  let toolchain: Toolchain | undefined;
  let sandbox: Sandbox | undefined;
  let images: DiskImages | string = 'The server is still starting.';
  const disks = createDiskStore({ root, log }, () => images);
  const backups = createDiskBackups(options, () => images);
  /** Whether no process of a project can get away from its run. */
  const isHeld = () =>
    process.getuid?.() === 0 || sandbox?.bubblewrap !== undefined || (toolchain?.namespace.length ?? 0) > 0;
  const parts: BuildParts = {
    ...options,
    runs,
    disks,
    get toolchain() {
      if (!toolchain) throw new Error('the engine was not started');
      return toolchain;
    },
    get sandbox() {
      if (!sandbox) throw new Error('the engine was not started');
      return sandbox;
    },
  };

  return {
    parts,
    whyNoSources: () => toolchain?.gitReason ?? 'The server is still starting.',
    runtimes: () => runtimesOf(toolchain),
    containers: () => ({ available: false, reason: NO_CONTAINERS }),
    isolation: () => sandbox?.isolation ?? [],
    async start(live) {
      const host = settings.hostEnvironment;
      toolchain = await findToolchain({ root, dataDir: settings.dataDir }, host);
      images = await findDiskImages(searchPath(host), join(root, 'disk-trial'));
      sandbox = await findSandbox({
        path: searchPath(host),
        disks: images,
        instance,
        readable: toolchain.places,
        ports: options.ports,
        keepsTogether: isHeld(),
      });
      if (!isHeld()) log.warn(NOT_HELD);
      await runs.reap({ byMark: !isHeld() });
      await disks.start();
      await sweepBackups(root, log);
      await settleAllBackups(backups, { live, log });
    },
    async close() {
      await runs.reap({ byMark: !isHeld() });
      await disks.close();
      await sandbox?.close();
    },
    build: (build) => buildRelease(parts, build),
    canStart: ({ kind }) => kind !== 'container',
    prepare: (start) => prepareDisks(parts, start),
    async startInstance(start) {
      await refuseUnsettled(root, start);
      return startAppProcess(parts, start);
    },
    runCommand: (beside, command) => runInApp(parts, beside, command),
    whyNoTerminal,
    openShell: async (beside, { size }) => openShell(parts, await openPlace(parts, beside), size),
    disks: {
      diskSupport: () => ({
        mounted: sandbox !== undefined && runs.mountsFolders,
        limited: typeof images !== 'string',
        growsInUse: typeof images !== 'string' && images.growsMounted,
      }),
      whyNoDisk: (path) => (sandbox ? whyNoDisk(parts, path) : ''),
      sharesDisks: async () => false,
      diskUse: disks.use,
      growDisk: disks.grow,
      removeDisk: disks.remove,
    },
    repositories: {
      openRepository: (project) => openOwnRepository(parts, project),
      hasRepository: (projectId) => hasOwnRepository(parts, projectId),
    },
    backups,
    forgetReleases: async () => {},
    removeProject: disks.release,
  };
}
