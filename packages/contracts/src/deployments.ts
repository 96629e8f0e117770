import { z } from 'zod';
import { bytes, mutation, query, subscription } from './kit.ts';
import { ById, Id, Page, Success } from './page.ts';

/** What becomes of a deployment: queued → building → deploying → running, and where it can end. */
export const DeploymentStatus = z.enum([
  'queued',
  'building',
  'deploying',
  'running',
  'failed',
  'stopped',
  'cancelled',
]);
export type DeploymentStatus = z.output<typeof DeploymentStatus>;

/** The part of a deployment that a person is waiting for or was told failed. */
export const DeploymentStep = z.enum([
  'variables',
  'clone',
  'pull',
  'detect',
  'install',
  'build',
  'release',
  'start',
  'health',
  'switch',
]);
export type DeploymentStep = z.output<typeof DeploymentStep>;

/**
 * Why there is a deployment. All but `deploy` start a kept release, without a build; `deploy` does so where commit,
 * settings, variables of the build and programs are those of the newest release, which is still as it was built.
 */
export const DeploymentKind = z.enum(['deploy', 'rollback', 'start', 'restart']);
export type DeploymentKind = z.output<typeof DeploymentKind>;

export const DeploymentSummary = z.object({
  id: Id,
  status: DeploymentStatus,
  createdAt: z.iso.datetime(),
});

export const Deployment = DeploymentSummary.extend({
  projectId: Id,
  kind: DeploymentKind,
  /** Whether requests go to it. True of one deployment of a project at most, and only while it is `running`. */
  live: z.boolean(),
  /** Where it stands, or where it stood when it ended. */
  step: DeploymentStep.nullable(),
  /** One sentence that says which step failed and why. */
  error: z.string().nullable(),
  /** Reference of the image that it runs; '' where it was built from a source. */
  image: z.string(),
  /** Digest of the image that it runs, once pulled or pushed; null where it runs none. */
  imageDigest: z.string().nullable(),
  /** Why there is one that nobody asked for, for example `Pushed ada/shop:latest`; '' for all others. */
  cause: z.string(),
  /** '' until it is known which one is the repository's default. */
  branch: z.string(),
  /** SHA-1 or SHA-256 of the commit, once known. */
  commit: z.string().nullable(),
  /** First line of the commit's message. */
  commitMessage: z.string().nullable(),
  /** Set where there was no build: the deployment whose release it started again. */
  rollbackOf: Id.nullable(),
  /**
   * Whether the release that it built, or started again, is kept, so that one can roll back to it. False of what did not
   * come to run.
   */
  releaseKept: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Deployment = z.output<typeof Deployment>;

/** A deployment that changed. */
export const DeploymentChange = Deployment.extend({
  /** Whether the next event belongs to the same moment: show both at once, or neither. */
  more: z.boolean(),
});
export type DeploymentChange = z.output<typeof DeploymentChange>;

/** Where output came from; `system` is what the platform itself says. */
export const LogStream = z.enum(['stdout', 'stderr', 'system']);

/** A piece of a deployment's log, in order of `seq`. */
export const LogChunk = z.object({
  seq: z.int(),
  stream: LogStream,
  text: z.string(),
  at: z.iso.datetime(),
});
export type LogChunk = z.output<typeof LogChunk>;

/** The most lines that a log's tail has. */
export const MAX_LOG_LINES = 500;

const LINES = `Lines must be a whole number from 1 to ${MAX_LOG_LINES}.`;
const LogLines = z.int(LINES).min(1, LINES).max(MAX_LOG_LINES, LINES).default(100);

export const NewDeployment = ById.extend({
  /**
   * Builds anew with nothing that earlier builds left: neither their result, nor packages, nor caches. It is for builds
   * that read what the repository does not tell, such as content of another server.
   */
  clearCache: z.boolean().default(false),
});
export type NewDeployment = z.output<typeof NewDeployment>;

export const deployments = {
  list: query({
    summary: "A project's deployments, newest first",
    route: 'GET /api/projects/{id}/deployments',
    forAssistant: true,
    input: ById.extend(Page.shape),
    output: z.array(Deployment),
  }),
  create: mutation({
    summary:
      'Deploy the latest commit of the branch, the template, or what the tag of the image names now. What would be built the same again is not built again, unless the cache is cleared. Replaces a deployment that is still queued',
    route: 'POST /api/projects/{id}/deployments',
    status: 201,
    refusals: { 409: 'It is an app in a version that the marketplace no longer has' },
    perMinute: 20,
    input: NewDeployment,
    output: Deployment,
  }),
  get: query({
    summary: 'One deployment',
    route: 'GET /api/deployments/{id}',
    forAssistant: true,
    input: ById,
    output: Deployment,
  }),
  cancel: mutation({
    summary: 'Cancel a deployment that is queued or in progress. The running version is not affected',
    route: 'POST /api/deployments/{id}/cancel',
    perMinute: 30,
    input: ById,
    output: Deployment,
  }),
  rollback: mutation({
    summary:
      'Roll back to an earlier deployment: starts its release again as a new deployment, without a build, with the settings and variables that it had',
    route: 'POST /api/deployments/{id}/rollback',
    status: 201,
    perMinute: 20,
    input: ById,
    output: Deployment,
  }),
  stop: mutation({
    summary: 'Stop a running deployment. Its release is kept, so it can be started again',
    route: 'POST /api/deployments/{id}/stop',
    refusals: { 409: 'It is not running' },
    perMinute: 30,
    input: ById,
    output: Deployment,
  }),
  startApp: mutation({
    summary:
      'Start a stopped app: brings back the release that ran last, with the variables, processes, instances and limits that the project has now, or deploys where none is kept. Answers 200 with the deployment that is running or in progress, if there is one',
    route: 'POST /api/projects/{id}/start',
    status: 201,
    findsExisting: true,
    refusals: {
      409: 'No release is kept of an app whose version the marketplace no longer has',
      422: 'There is no release to start and no source to deploy',
    },
    perMinute: 20,
    input: ById,
    output: Deployment,
  }),
  restartApp: mutation({
    summary:
      'Restart a running app with the same release, and the variables, processes, instances and limits that the project has now. Requests go to the new instance once it is healthy. Answers 200 with a restart that is already in progress',
    route: 'POST /api/projects/{id}/restart',
    status: 201,
    findsExisting: true,
    refusals: { 409: 'It is not running, or a deployment is in progress' },
    perMinute: 20,
    input: ById,
    output: Deployment,
  }),
  stopApp: mutation({
    summary:
      'Stop an app and cancel its deployments in progress. It stays stopped until it is started or deployed',
    route: 'POST /api/projects/{id}/stop',
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  logTail: query({
    summary: "The last lines of a deployment's log as plain text, with secrets masked",
    route: 'GET /api/deployments/{id}/log-tail',
    perMinute: 120,
    forAssistant: true,
    input: ById.extend({ lines: LogLines }),
    output: z.object({ text: z.string() }),
  }),
  logText: bytes({
    summary: "A deployment's log as text",
    route: 'GET /api/deployments/{id}/log',
    perMinute: 60,
    // `1` makes it a file to save.
    input: ById.extend({ download: z.enum(['1']).optional().catch(undefined) }),
    gives: { type: 'text/plain', what: 'The log' },
  }),
  /** Each event's id is the chunk's `seq`, so a reader resumes where it left off. Ends when the log does. */
  log: subscription({
    summary: "A deployment's log from the start, then live",
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: LogChunk,
  }),
  /** Sends each deployment that changed, and all that are unfinished at the start. */
  changes: subscription({
    summary: "A project's deployments as they change",
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: DeploymentChange,
  }),
};
