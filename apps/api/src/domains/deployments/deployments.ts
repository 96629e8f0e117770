import { resolve } from 'node:path';
import type { contract } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { type EngineCheck, type Finding, healthy, unhealthy } from '../../platform/engine-check.ts';
import type { AppAddress } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReportCommit } from '../commit-statuses/report-commit.ts';
import type { DeployPushed } from '../containers/registry/manifest-push.ts';
import { createRegistryTokens } from '../containers/registry/registry-token.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { databaseAddresses } from '../databases/ports.ts';
import type { Domain } from '../domain.ts';
import { type AppFigures, createAppFigures } from '../observability/app-figures.ts';
import type { FindRecipe } from '../projects/find-recipe.ts';
import type { Deployer } from '../projects/projects.ts';
import { createAppLogs } from './app-log.ts';
import { appPorts } from './app-ports.ts';
import { followDeployments } from './changes.ts';
import { type Cause, type CauseOutcome, deployForCause } from './deploy-for-cause.ts';
import type { DeploymentEngine } from './engine/engine.ts';
import { isSandbox } from './engine/isolation.ts';
import { createEngine } from './engine/runtime/create-engine.ts';
import type { AppHosts } from './engine/serve/app-hosts.ts';
import { adviceOnRegistry } from './engine/swarm/placement.ts';
import { restartApp, startApp, stopApp, stopDeployment } from './lifecycle.ts';
import { createLiveDeployments } from './live.ts';
import { followLog, readLogText } from './log.ts';
import { readLogTail } from './log-tail.ts';
import { imageOfRelease } from './prepare-image.ts';
import { deployPushed } from './push-deployments.ts';
import { createDeploymentQueue, type DeploymentQueue } from './queue.ts';
import { queueDeployment } from './queue-deployment.ts';
import {
  cancelDeployment,
  createDeployment,
  findDeployment,
  listDeployments,
  rollbackDeployment,
} from './service.ts';

/** What the domain was made with, what runs its apps, and what is done in the background. */
export interface DeploymentsParts extends Pick<Platform, 'settings' | 'notifications' | 'secrets'> {
  engine: DeploymentEngine;
  queue: DeploymentQueue;
  findRecipe: FindRecipe;
  /** What the apps of this process do and use. */
  figures: AppFigures;
  /** Resolves when no app of this process answers any more. */
  appsEnded: Promise<void>;
}

/** Sources of the marketplace's third-party apps, a folder each. */
export const RECIPES = resolve(import.meta.dirname, '../../../recipes');

type Platformed = Pick<Platform, 'settings' | 'db' | 'jobs' | 'notifications' | 'secrets' | 'log'>;

/** Deployments of projects, and the engine that runs them. */
export function createDeployments(
  platform: Platformed,
  {
    databases,
    findRecipe,
    hosts,
    appAddress,
    reportCommit,
  }: {
    databases: DatabasesParts;
    findRecipe: FindRecipe;
    hosts: AppHosts;
    appAddress: AppAddress;
    reportCommit: ReportCommit;
  },
  overrides: { engine?: DeploymentEngine | undefined; recipes?: string | undefined } = {},
): Domain<typeof contract.deployments> &
  DeploymentsParts & {
    deployer: Deployer;
    deployPushed: DeployPushed;
    /** Queues a deployment, or says why not, in the transaction that holds the project's row. */
    deployForCause(trx: Kysely<Database>, cause: Cause): Promise<CauseOutcome>;
  } {
  const { settings, notifications, secrets } = platform;
  const appLogs = createAppLogs(platform);
  const figures = createAppFigures();
  const tokens = createRegistryTokens(platform);
  const live = createLiveDeployments({ ...platform, appLogs });
  const ports = () => appPorts(settings, databaseAddresses(databases.servers));
  const engine =
    overrides.engine ??
    createEngine({
      ...{ ...platform, figures, live, ports, hosts },
      imageOf: (app) => imageOfRelease({ ...platform, tokens }, app),
    });
  const { recipes = RECIPES } = overrides;
  const queue = createDeploymentQueue({
    ...platform,
    appAddress,
    databases,
    appLogs,
    engine,
    tokens,
    recipes,
    findRecipe,
    reportCommit,
  });
  const ended = Promise.withResolvers<void>();
  const parts: DeploymentsParts = {
    ...{ settings, notifications, secrets, engine, queue, findRecipe, figures },
    appsEnded: ended.promise,
  };
  return {
    ...parts,
    deployer: {
      runtimes: () => engine.runtimes(),
      containers: () => engine.containers(),
      isolation: () => engine.isolation(),
      deploy: (trx, project) => queueDeployment(parts, trx, project),
      removeProject: queue.removeProject,
    },
    deployForCause: (trx, cause) => deployForCause(trx, { ...parts, log: platform.log }, cause),
    deployPushed: (trx, pushed) => deployPushed(trx, { ...parts, log: platform.log }, pushed),
    handlers: {
      list: ({ ctx, input }) => listDeployments(ctx, input),
      create: ({ ctx, input }) => createDeployment(ctx, parts, input),
      get: ({ ctx, input }) => findDeployment(ctx.db, ctx.ownerId, input.id),
      cancel: ({ ctx, input }) => cancelDeployment(ctx, input.id),
      rollback: ({ ctx, input }) => rollbackDeployment(ctx, parts, input.id),
      stop: ({ ctx, input }) => stopDeployment(ctx, queue, input.id),
      startApp: ({ ctx, input }) => startApp(ctx, parts, input.id),
      restartApp: ({ ctx, input }) => restartApp(ctx, parts, input.id),
      stopApp: ({ ctx, input }) => stopApp(ctx, queue, input.id),
      logTail: ({ ctx, input }) => readLogTail(ctx, input),
      logText: ({ ctx, input }) => readLogText(ctx, input),
      log: ({ ctx, input, lastEventId }) => followLog(ctx, notifications, { ...input, lastEventId }),
      changes: ({ ctx, input, lastEventId }) =>
        followDeployments(ctx, notifications, { ...input, lastEventId }),
    },
    engines: () => [runtimeCheck(settings, engine)],
    start: () => engine.start(),
    resume: queue.start,
    async stop() {
      await Promise.all([queue.stop(), engine.stop().finally(ended.resolve)]);
    },
  };
}

/** Names of the languages that apps are written in, as people write them. */
const FRAMEWORK_NAMES = { nodejs: 'Node.js', static: 'static sites', python: 'Python' } as const;

type Runtime = Pick<DeploymentEngine, 'runtimes' | 'isolation' | 'cluster'>;

function runtimeCheck({ deployRuntime, publicUrl }: Platform['settings'], engine: Runtime): EngineCheck {
  const processes = isSandbox(engine.isolation())
    ? 'Sandboxed processes on this machine'
    : 'Processes on this machine';
  return {
    id: 'deployment-runtime',
    name: 'Deployment runtime',
    running: {
      process: processes,
      docker: 'Docker containers on this machine',
      swarm: 'Docker containers on the machines of a swarm',
    }[deployRuntime],
    settings: ['DEPLOY_RUNTIME', deployRuntime === 'process' ? 'ALLOW_PROCESS_RUNTIME' : 'DOCKER_HOST'],
    look: () => lookAtRuntimes(engine, publicUrl),
  };
}

function lookAtRuntimes(engine: Runtime, publicUrl: URL): Finding {
  const runtimes = engine.runtimes();
  const missing = runtimes.filter(({ available }) => !available);
  const works = runtimes
    .filter(({ available }) => available)
    .map(({ framework }) => FRAMEWORK_NAMES[framework]);
  const reasons = [...new Set(missing.map(({ reason }) => reason))].join(' ');
  if (works.length === 0) return unhealthy(reasons);
  const nodes = engine.cluster?.nodes();
  const advice = nodes ? adviceOnRegistry(publicUrl, nodes.length) : '';
  const detail = [`Runs ${works.join(', ')}.`, reasons, advice].filter(Boolean).join(' ');
  return { ...healthy(detail), isolation: [...engine.isolation()], ...(nodes && { nodes }) };
}
