import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { pino } from 'pino';
import { readSettings } from '../../src/core/env.ts';
import type {
  AbsentApp,
  AppDisk,
  DeployedApp,
  DeploymentEngine,
  DeploymentJob,
  DeploymentOutcome,
  LogWriter,
  ProcessChange,
  Progress,
} from '../../src/domains/deployments/engine/engine.ts';
import type { Limits } from '../../src/domains/deployments/engine/limits.ts';
import { createEngine } from '../../src/domains/deployments/engine/runtime/create-engine.ts';
import { type AppHosts, NO_HOSTS } from '../../src/domains/deployments/engine/serve/app-hosts.ts';
import { type AppFigures, createAppFigures } from '../../src/domains/observability/app-figures.ts';
import { createSecretsBox } from '../../src/platform/secrets-box.ts';
import { removeMachineRules } from '../machine-rules.ts';

/** A deployment as a test sees it. */
export interface Deployment {
  job: DeploymentJob;
  outcome: DeploymentOutcome;
  progress: Progress[];
  /** All of its log so far. */
  log(): string;
}

/** A project whose fields a test may change between deployments. */
export interface TestProject {
  projectId: string;
  slug: string;
  account: number;
  framework: DeploymentJob['framework'];
  repositoryUrl: string;
  pushed: DeploymentJob['pushed'];
  repositoryCredentials: DeploymentJob['repositoryCredentials'];
  deployKey: DeploymentJob['deployKey'];
  template: DeploymentJob['template'];
  recipe: DeploymentJob['recipe'];
  image: DeploymentJob['image'];
  branch: string;
  healthPath: string;
  settings: DeploymentJob['settings'];
  disks: AppDisk[];
  variables: Record<string, string>;
  /** Of the build; the same unless it is given. */
  buildVariables?: Record<string, string>;
  clearCache?: boolean;
  savesDisks?: boolean;
  buildsApart?: boolean;
}

export interface EngineWorld {
  engine: DeploymentEngine;
  dataDir: string;
  project(repositoryUrl: string, change?: Partial<TestProject>): TestProject;
  deploy(project: TestProject, options?: DeployOptions): Promise<Deployment>;
  /** All that was written to a deployment's log in this life. */
  logOf(deploymentId: string): string;
  /** Asks an app through the proxy. */
  ask(
    project: TestProject,
    path?: string,
    init?: { host?: string; headers?: Record<string, string>; method?: string },
  ): Promise<Answer>;
  /** Where the proxy listens. */
  port: number;
  server: Server;
  /** What should run, as the database would say. */
  live: Map<string, DeployedApp>;
  crashes: { deploymentId: string; error: string }[];
  recoveries: string[];
  changes: ProcessChange[];
  /** What its apps do and use. */
  figures: AppFigures;
  removedReleases: string[];
  /** What `absence` says; `unknown` unless set. */
  absences: Map<string, AbsentApp>;
  close(): Promise<void>;
}

export interface DeployOptions {
  rollbackOf?: string;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  onSwitch?: () => Promise<void>;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface EngineWorldOptions {
  limits?: Partial<Limits>;
  env?: Record<string, string>;
  /** Host names of apps' own. */
  hosts?: AppHosts;
  /** TCP ports of this machine's loopback that apps are given. */
  ports?: readonly number[];
  /** Brings these back at start, on this folder: a second life. */
  dataDir?: string;
  live?: Map<string, DeployedApp>;
  /** Runs while the engine is yet to hear what should run; asks for a host name through the proxy. */
  whileStarting?: (ask: (host: string) => Promise<Answer>) => Promise<void>;
}

/** Accounts differ between test files, which run at the same time under the same installation-less folders. */
let nextAccount = Math.floor(Math.random() * 30_000);

/** The real engine on a folder of its own behind a real HTTP server; the database's part is played in memory. */
export async function createEngineWorld(options: EngineWorldOptions = {}): Promise<EngineWorld> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'nephos-engine-')));
  await chmod(dataDir, 0o711);
  const live = options.live ?? new Map<string, DeployedApp>();
  const logs = new Map<string, string>();
  const crashes: EngineWorld['crashes'] = [];
  const recoveries: string[] = [];
  const changes: ProcessChange[] = [];
  const removedReleases: string[] = [];
  const absences = new Map<string, AbsentApp>();
  const writer = (id: string): LogWriter => {
    const add = (text: string) => logs.set(id, (logs.get(id) ?? '') + text);
    return { write: (_, text) => add(text), system: (text) => add(`${text}\n`), close: async () => {} };
  };
  const images = new Map<string, DeploymentJob['image']>();
  const figures = createAppFigures();
  const engine = createEngine({
    figures,
    settings: readSettings({
      DATA_DIR: dataDir,
      ALLOW_PRIVATE_REPOSITORIES: '1',
      RATE_LIMITS: 'off',
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
      ...options.env,
    }),
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }, pino.destination(2)),
    hosts: options.hosts ?? NO_HOSTS,
    ports: () => ({ loopback: options.ports ?? [], public: [] }),
    // The same in each life.
    secrets: createSecretsBox(Buffer.alloc(32)),
    imageOf: async (app) => images.get(app.rollbackOf ?? app.deploymentId) ?? null,
    limits: { healthPoll: 20, sampleTime: 100, drainTime: 3000, killTime: 2000, ...options.limits },
    live: {
      all: async () => {
        await options.whileStarting?.((host) => ask(port, host, '/', {}));
        return [...live.values()];
      },
      logFor: ({ deploymentId }) => writer(deploymentId),
      crashed: async (deploymentId, error) => {
        crashes.push({ deploymentId, error });
        for (const [projectId, app] of live) if (app.deploymentId === deploymentId) live.delete(projectId);
      },
      recovered: async (deploymentId) => void recoveries.push(deploymentId),
      processChanged: (change) => void changes.push(change),
      releasesRemoved: async (ids) => void removedReleases.push(...ids),
      absence: async (slug) => absences.get(slug) ?? 'unknown',
    },
  });
  const server = createServer((request, response) => engine.serve(request, response));
  server.on('upgrade', (request, socket, head) => engine.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await engine.start();

  return {
    engine,
    figures,
    dataDir,
    live,
    port,
    server,
    crashes,
    recoveries,
    changes,
    removedReleases,
    absences,
    project(repositoryUrl, change = {}) {
      nextAccount += 1;
      return {
        projectId: randomUUID(),
        slug: `app-${randomUUID().slice(0, 8)}`,
        account: nextAccount,
        framework: 'nodejs',
        branch: 'main',
        healthPath: '',
        settings: DETECTED_SETTINGS,
        disks: [],
        variables: {},
        repositoryUrl,
        pushed: null,
        repositoryCredentials: null,
        deployKey: null,
        template: null,
        recipe: null,
        image: null,
        ...change,
      };
    },
    async deploy(project, { rollbackOf = '', signal, onProgress, onSwitch } = {}) {
      const progress: Progress[] = [];
      const deploymentId = randomUUID();
      let isOver = false;
      const job: DeploymentJob = {
        buildVariables: project.variables,
        clearCache: false,
        savesDisks: false,
        buildsApart: false,
        ...structuredClone(project),
        deploymentId,
        rollbackOf: rollbackOf || null,
        imageTarget: () => Promise.reject(new Error('Nothing is pushed here.')),
        onProgress: async (step) => {
          if (isOver) throw new Error('The deployment is over.');
          progress.push(step);
          const { reference, credentials } = project.image ?? { reference: '', credentials: null };
          const at = `${reference.replace(/:[^:/]+$/, '')}@${step.imageDigest}`;
          if (step.imageDigest) images.set(deploymentId, { reference: at, credentials });
          onProgress?.(step);
        },
        onSwitch: async () => {
          await onSwitch?.();
          const { onProgress: _, onSwitch: __, ...app } = job;
          live.set(project.projectId, app);
        },
      };
      const outcome = await engine.run(job, writer(deploymentId), signal ?? new AbortController().signal);
      isOver = true;
      return { job, outcome, progress, log: () => logs.get(deploymentId) ?? '' };
    },
    logOf: (deploymentId) => logs.get(deploymentId) ?? '',
    ask: (project, path = '/', { host = `${project.slug}.localhost:${port}`, ...init } = {}) =>
      ask(port, host, path, init),
    async close() {
      await engine.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await removeMachineRules(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A request with a Host header of our choice, which `fetch` does not allow. */
function ask(
  port: number,
  host: string,
  path: string,
  { headers = {}, method = 'GET' }: { headers?: Record<string, string>; method?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      method,
      agent: false,
      headers: { host, ...headers },
    });
    request.once('error', reject);
    request.once('response', async (response) => {
      let text = '';
      try {
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      } catch (error) {
        reject(error);
      }
    });
    request.end();
  });
}
