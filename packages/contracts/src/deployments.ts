import { z } from 'zod';
import { bytes, mutation, query, subscription } from './kit.ts';
import { ById, Id, Page } from './page.ts';

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
export const DeploymentStep = z.enum(['clone', 'detect', 'install', 'build', 'start', 'health', 'switch']);
export type DeploymentStep = z.output<typeof DeploymentStep>;

export const DeploymentSummary = z.object({
  id: Id,
  status: DeploymentStatus,
  createdAt: z.iso.datetime(),
});

export const Deployment = DeploymentSummary.extend({
  projectId: Id,
  /** Where it stands, or where it stood when it ended. */
  step: DeploymentStep.nullable(),
  /** One sentence that says which step failed and why. */
  error: z.string().nullable(),
  branch: z.string(),
  /** SHA-1 or SHA-256 of the commit, once known. */
  commit: z.string().nullable(),
  /** First line of the commit's message. */
  commitMessage: z.string().nullable(),
  /** Set where this is a rollback: the deployment whose release it started again. */
  rollbackOf: Id.nullable(),
  /** Whether its release is kept, so that one can roll back to it. */
  releaseKept: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Deployment = z.output<typeof Deployment>;

/** A piece of a deployment's log, in order of `seq`. */
export const LogChunk = z.object({
  seq: z.int(),
  /** `system` is what the platform itself says. */
  stream: z.enum(['stdout', 'stderr', 'system']),
  text: z.string(),
  at: z.iso.datetime(),
});
export type LogChunk = z.output<typeof LogChunk>;

/** The most lines that a log's tail has. */
export const MAX_LOG_LINES = 500;

const LINES = `Lines are a whole number from 1 to ${MAX_LOG_LINES}.`;
const LogLines = z.int(LINES).min(1, LINES).max(MAX_LOG_LINES, LINES).default(100);

export const deployments = {
  list: query({
    summary: "A project's deployments, newest first",
    route: 'GET /api/projects/{id}/deployments',
    forAssistant: true,
    input: ById.extend(Page.shape),
    output: z.array(Deployment),
  }),
  create: mutation({
    summary: 'Deploy the newest commit of the branch; it replaces a deployment that is still queued',
    route: 'POST /api/projects/{id}/deployments',
    status: 201,
    perMinute: 20,
    input: ById,
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
    summary: 'Cancel a deployment that is queued or under way; the running version stays',
    route: 'POST /api/deployments/{id}/cancel',
    perMinute: 30,
    input: ById,
    output: Deployment,
  }),
  rollback: mutation({
    summary: 'Start a kept release again, without a build, as a new deployment',
    route: 'POST /api/deployments/{id}/rollback',
    status: 201,
    perMinute: 20,
    input: ById,
    output: Deployment,
  }),
  stop: mutation({
    summary: 'Stop the running app',
    route: 'POST /api/deployments/{id}/stop',
    perMinute: 30,
    input: ById,
    output: Deployment,
  }),
  logTail: query({
    summary: "The last lines of a deployment's log: plain text, secrets masked, without terminal colours",
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
    summary: "A deployment's log from its beginning, then as it grows",
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: LogChunk,
  }),
  /** Sends each deployment that changed, and all that are unfinished at the start. */
  changes: subscription({
    summary: "A project's deployments as they change",
    input: ById.extend({ lastEventId: z.string().optional() }),
    output: Deployment,
  }),
};
