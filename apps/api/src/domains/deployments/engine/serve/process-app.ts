import type { Logger } from 'pino';
import type { Settings } from '../../../../core/settings.ts';
import { WEB } from '../detect/plan.ts';
import type { LiveDeployments, ProcessStatus } from '../engine.ts';
import { aborted } from '../instances/exit.ts';
import { nameOfInstance, runProcesses } from '../instances/run-processes.ts';
import type { Limits } from '../limits.ts';
import type { Retirements } from '../runtime/retirements.ts';
import type { ReleaseStart, RunProcess, Runtime, StartOptions } from '../runtime.ts';
import { type AppInstance, createAppInstance, type Upstream } from './app-instance.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import type { AppRoutes } from './app-routes.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import type { LiveApp } from './live-app.ts';
import { prepareFirst } from './prepare-first.ts';
import { createForwarding } from './proxy-headers.ts';
import { countRequests } from './requests-under-way.ts';

/** What apps are kept running with. */
export interface ServeParts {
  settings: Settings;
  limits: Limits;
  runtime: Pick<Runtime, 'prepare' | 'startInstance'>;
  log: Logger;
  live: LiveDeployments;
  routes: AppRoutes;
  retirements: Pick<Retirements, 'end'>;
  /** A process of the project's app came to another state, whether or not requests go to it. */
  onProcessChange(projectId: string): void;
}

export interface ProcessAppOptions extends ReleaseStart, Pick<StartOptions, 'onListening'> {
  /** Set for an app that comes back after a restart of the server: waits for its turn to start. */
  turn?: () => Promise<Disposable>;
  /** Whether it is yet to be prepared: its start does so, and waits for its disks. */
  isUnprepared?: boolean;
}

/** An app in processes or containers of its own. */
export interface ProcessApp extends LiveApp {
  /** Resolves when all of it is up for the first time; rejects as soon as some of it cannot be. */
  started: Promise<void>;
}

/**
 * An app in processes of its own, each started again when it crashes. When none of those is left that requests go to,
 * or, without a web process, none at all, it takes itself off the routes and reports the deployment as failed.
 */
export function createProcessApp(parts: ServeParts, options: ProcessAppOptions): ProcessApp {
  const { app: of, log, serve } = options;
  const requests = countRequests();
  const forwarding = createForwarding(parts.settings);
  const processes = runProcesses(serve, of, parts.limits);
  if (!options.turn) announce(options, processes);
  const hasWeb = processes.some(({ name }) => name === WEB);
  const grace = of.settings.stopTimeout === null ? parts.limits.killTime : of.settings.stopTimeout * 1000;
  let fleet = startFleet(parts, options, { processes, resumed: options.turn !== undefined });
  const watch = () => {
    void fleet.failed.then((reason) => giveUp(parts, app, { log, reason }));
  };
  const app: ProcessApp = {
    deploymentId: of.deploymentId,
    release: of.rollbackOf ?? of.deploymentId,
    projectId: of.projectId,
    slug: of.slug,
    started: fleet.started,
    processes: () => fleet.processes(),
    serve(request, response) {
      requests.begin(response);
      const up = fleet.pick();
      if (!up) return sendPage(request, response, hasWeb ? 'starting' : 'worker');
      let tried = up;
      const another = (isUnsent: boolean) => {
        if (isUnsent) tried.avoidedUntil = performance.now() + AVOIDED_MS;
        tried = fleet.pick() ?? tried;
        return tried.pool;
      };
      response.once('close', occupy(up));
      forwardRequest(request, response, { pool: up.pool, another, forwarding });
    },
    upgrade(request, socket, head) {
      const up = fleet.pick();
      if (!up) return refuseUpgrade(socket, hasWeb ? 503 : 404);
      requests.begin(socket);
      socket.once('close', occupy(up));
      forwardUpgrade(request, { socket, head }, { origin: up.run.origin, forwarding });
    },
    async stop({ drain, grace: within = grace, keepLog = false }) {
      await fleet.stop(within, () => requests.ended(drain));
      if (!keepLog) await log.close();
    },
    async leave(within) {
      await fleet.leave(within);
      await log.close();
    },
    ownPort: () => fleet.ownPort()?.port ?? null,
    whyAlone() {
      if (of.disks.length > 0) return 'The app has a disk';
      const own = fleet.ownPort();
      return own?.isShared ? `The app listens on port ${own.port} and not on PORT` : undefined;
    },
    suspend: (drain) => fleet.stop(grace, () => requests.ended(drain)),
    async resume(patience) {
      fleet = startFleet(parts, { ...options, isUnprepared: true }, { processes, resumed: true });
      watch();
      // It is kept being started, or has ended, where it is not up by then.
      await Promise.race([fleet.started, aborted(patience)]).catch(() => {});
    },
  };
  if (options.turn) watch();
  else fleet.started.then(watch, () => {});
  return app;
}

function announce({ app, log }: ProcessAppOptions, processes: readonly RunProcess[]): void {
  for (const { name, label, instances } of processes) {
    const role = name === WEB ? '' : ` as ${name}`;
    log.system(`Starting ${label}${role}${instances > 1 ? `, ${instances} instances` : ''}`);
  }
  const wanted = app.settings.processes.some(({ instances }) => (instances ?? 1) > 1);
  if (wanted && app.disks.length > 0)
    log.system('One instance of each process runs, because the app has a disk.');
}

/** How long an instance that took no connection is passed over, where there are others. */
const AVOIDED_MS = 2000;

/** Counts a request or a connection with an upstream; the answer ends that. */
function occupy(up: Upstream): () => void {
  up.requests += 1;
  return () => {
    up.requests -= 1;
  };
}

interface Fleet {
  started: Promise<void>;
  /** Resolves with the reason when what matters of it has crashed too often; never without. */
  failed: Promise<string>;
  processes(): ProcessStatus[];
  /** The instance with the fewest requests; in turn, of several. */
  pick(): Upstream | undefined;
  ownPort(): { port: number; isShared: boolean } | undefined;
  /** Ends the workers, and `web` once `drained`. */
  stop(grace: number, drained: () => Promise<void>): Promise<void>;
  /** Ends what ends with the server, and lets the rest run on. */
  leave(grace: number): Promise<void>;
}

/** Starts all instances of an app's processes. */
function startFleet(
  parts: ServeParts,
  options: ProcessAppOptions,
  { processes, resumed }: { processes: readonly RunProcess[]; resumed: boolean },
): Fleet {
  const preparing = options.isUnprepared ? { ...parts, runtime: prepareFirst(parts, options) } : parts;
  const instances = processes.flatMap((process) =>
    Array.from({ length: process.instances }, (_, index) => ({
      process,
      instance: startInstance(preparing, options, { process, number: index + 1, resumed }),
    })),
  );
  const ofWeb = instances.filter(({ process }) => process.name === WEB);
  const web = ofWeb.map(({ instance }) => instance);
  const workers = instances.filter(({ process }) => process.name !== WEB).map(({ instance }) => instance);
  const all = [...web, ...workers];
  const decisive = web.length > 0 ? web : workers;
  let next = 0;
  const stopAll = (some: readonly AppInstance[], grace: number) =>
    Promise.all(some.map((instance) => instance.stop(grace)));
  const started = Promise.all(all.map((instance) => instance.started)).then(() => {});
  // Nobody waits for one that comes back; it may be stopped before it is up.
  started.catch(() => {});
  return {
    started,
    failed: Promise.all(decisive.map(({ failed }) => failed)).then((reasons) => reasons.at(-1) ?? ''),
    processes: () => all.map((instance) => instance.status()),
    pick() {
      const all = web.flatMap((instance) => instance.current() ?? []);
      const now = all.length > 1 ? performance.now() : 0;
      const taking = all.filter(({ avoidedUntil }) => avoidedUntil <= now);
      const up = taking.length > 0 ? taking : all;
      if (up.length <= 1) return up[0];
      next += 1;
      const inTurn = up.map((_, index) => up[(index + next) % up.length] as Upstream);
      return inTurn.reduce((least, other) => (other.requests < least.requests ? other : least));
    },
    ownPort() {
      const run = web.map((instance) => instance.current()?.run).find((candidate) => candidate?.ownPort);
      return run?.ownPort ? { port: run.ownPort, isShared: run.sharesPorts } : undefined;
    },
    async leave(grace) {
      await Promise.all(all.map((instance) => instance.leave(grace)));
    },
    async stop(grace, drained) {
      await Promise.all([stopAll(workers, grace), drained().then(() => stopAll(web, grace))]);
    },
  };
}

function startInstance(
  parts: ServeParts,
  { app, folders, serve, account, log, onListening, turn }: ProcessAppOptions,
  { process, number, resumed }: { process: RunProcess; number: number; resumed: boolean },
): AppInstance {
  const { deploymentId, projectId } = app;
  const isWeb = process.name === WEB;
  const name = nameOfInstance(process, number);
  return createAppInstance(parts, {
    ...{ app, folders, serve, process, instance: number, account, log },
    ...(onListening && !resumed && number === 1 && { onListening }),
    ...(turn && resumed && { turn }),
    ...{ strict: isWeb && !resumed, resumed },
    onChange(status, exit) {
      parts.onProcessChange(projectId);
      const isLive = parts.routes.byProject(projectId)?.deploymentId === deploymentId;
      if (isLive) parts.live.processChanged({ deploymentId, projectId, ...status, exit });
      if (status.state !== 'running' || (status.restarts === 0 && !resumed)) return;
      log.system(`${name} is ${isWeb ? 'responding' : 'running'} again.`);
      if (!isWeb) return;
      parts.live
        .recovered(deploymentId)
        .catch((error) => parts.log.error({ err: error, deploymentId }, 'not recorded'));
    },
  });
}

async function giveUp(
  { routes, live, retirements }: ServeParts,
  app: LiveApp,
  { log, reason }: { log: ProcessAppOptions['log']; reason: string },
): Promise<void> {
  routes.remove(app);
  log.system(reason);
  // From here on nobody finds it on the routes who waits for its end.
  await Promise.all([retirements.end(app), live.crashed(app.deploymentId, reason)]);
}
