import { z } from 'zod';
import {
  COMMAND_MAX,
  DEFAULT_COMMAND_LIMIT,
  DEFAULT_CRON_LIMIT,
  DEFAULT_TIME_ZONE,
  MAX_COMMAND_LIMIT,
  MAX_CRON_LIMIT,
} from './app-run-rules.ts';
import { LogChunk } from './deployments.ts';
import { bytes, mutation, query, subscription } from './kit.ts';
import { ById, Id, Page, Success } from './page.ts';
import { line } from './text.ts';

/** What becomes of a run. `skipped`: the one before was still going on; `missed`: no server ran when it was due. */
export const AppRunStatus = z.enum([
  'queued',
  'running',
  'succeeded',
  'failed',
  'timed-out',
  'skipped',
  'missed',
  'cancelled',
]);
export type AppRunStatus = z.output<typeof AppRunStatus>;

/** A command that ran, or was to run, in an app's environment: a job's, or one that a person typed. */
export const AppRun = z.object({
  id: Id,
  projectId: Id,
  /** The job that it is a run of; null for a command that a person typed. */
  jobId: Id.nullable(),
  kind: z.enum(['cron', 'command']),
  /** Why it runs: it was due, it makes up for one that was missed, or a person asked for it. */
  cause: z.enum(['schedule', 'catch-up', 'person']),
  command: z.string(),
  status: AppRunStatus,
  /** Null where it has none: it did not end by itself, or not yet. */
  exitCode: z.int().nullable(),
  /** Why it did not succeed: one sentence or two. */
  error: z.string().nullable(),
  /** Seconds. */
  timeLimit: z.int(),
  /** When it was due; null where a person asked for it. */
  scheduledFor: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type AppRun = z.output<typeof AppRun>;

const Command = line(COMMAND_MAX, 'Command');

/** Seconds from 1 to `most`. */
function timeLimit(most: number) {
  const sentence = `The time limit must be a whole number from 1 to ${most} seconds.`;
  return z.int(sentence).min(1, sentence).max(most, sentence);
}

/** Five fields; which expressions there are, the server's parser says. */
const Schedule = line(100, 'Schedule');
const TimeZone = line(64, 'Time zone');

/** What is said of a job when it is made or changed. */
const JobSettings = z.object({
  name: line(100, 'Name'),
  /** Minute, hour, day of the month, month, day of the week. */
  schedule: Schedule,
  /** An IANA name, like `Europe/Berlin`. */
  timeZone: TimeZone,
  command: Command,
  /** Seconds. */
  timeLimit: timeLimit(MAX_CRON_LIMIT),
  enabled: z.boolean(),
  /** Whether the latest run that was missed is made up for. */
  catchUp: z.boolean(),
});

export const NewCronJob = JobSettings.extend({
  id: Id,
  timeZone: TimeZone.default(DEFAULT_TIME_ZONE),
  timeLimit: timeLimit(MAX_CRON_LIMIT).default(DEFAULT_CRON_LIMIT),
  enabled: z.boolean().default(true),
  catchUp: z.boolean().default(false),
});
export type NewCronJob = z.input<typeof NewCronJob>;

export const CronJobChange = JobSettings.partial().extend({ id: Id });
export type CronJobChange = z.input<typeof CronJobChange>;

export const CronJob = z.object({
  id: Id,
  projectId: Id,
  name: z.string(),
  schedule: z.string(),
  /** The schedule in words, for example `Every day at 03:00`. */
  description: z.string(),
  timeZone: z.string(),
  command: z.string(),
  /** Seconds. */
  timeLimit: z.int(),
  enabled: z.boolean(),
  catchUp: z.boolean(),
  /** Null while it is off. */
  nextRunAt: z.iso.datetime().nullable(),
  /** The newest run, whatever became of it. */
  lastRun: AppRun.nullable(),
  createdAt: z.iso.datetime(),
});
export type CronJob = z.output<typeof CronJob>;

export const SchedulePreview = z.object({
  description: z.string(),
  /** The next three times at which it is due. */
  next: z.array(z.iso.datetime()),
});

/** Whether a terminal can be opened in an app's environment, and if not, why. */
export const TerminalState = z.object({
  available: z.boolean(),
  /** One sentence; '' when available. */
  reason: z.string(),
});

const SIDE = 'Between 1 and 1000.';
const Side = z.int(SIDE).min(1, SIDE).max(1000, SIDE);

/** What a terminal's page sends, as JSON; what its shell writes comes back as bytes. */
export const TerminalMessage = z.union([
  /** What was typed or pasted, up to 16,384 UTF-16 code units. */
  z.object({ input: z.string().max(16 * 1024) }),
  /** Characters, each from 1 to 1000. */
  z.object({ size: z.object({ cols: Side, rows: Side }) }),
  /** Bytes that are shown by now: only so many more are sent ahead. */
  z.object({ shown: z.int().min(1) }),
]);
export type TerminalMessage = z.output<typeof TerminalMessage>;

/** What it gets as text, once, before it is closed: why. */
export interface TerminalEnd {
  end: string;
}

const StreamById = ById.extend({ lastEventId: z.string().optional() });

/** What has a command run needs what secrets do: the command is given all of the app's. */
export const appRuns = {
  jobs: query({
    summary: "A project's cron jobs, by name, with the newest run of each",
    route: 'GET /api/projects/{id}/cron-jobs',
    forAssistant: true,
    input: ById,
    output: z.array(CronJob),
  }),
  createJob: mutation({
    summary: "Create a cron job: a command that runs in the app's environment on a schedule",
    route: 'POST /api/projects/{id}/cron-jobs',
    needs: 'secrets',
    status: 201,
    refusals: { 403: 'The project has too many cron jobs, or this account may not run code on this server' },
    perMinute: 30,
    input: NewCronJob,
    output: CronJob,
  }),
  updateJob: mutation({
    summary: 'Update a cron job. What is left out stays as it is; a run that goes on is not affected',
    route: 'PATCH /api/cron-jobs/{id}',
    needs: 'secrets',
    perMinute: 60,
    input: CronJobChange,
    output: CronJob,
  }),
  removeJob: mutation({
    summary: 'Delete a cron job with its history. A run that goes on is ended',
    route: 'DELETE /api/cron-jobs/{id}',
    perMinute: 60,
    input: ById,
    output: Success,
  }),
  runJob: mutation({
    summary: 'Run a cron job now, whatever its schedule',
    route: 'POST /api/cron-jobs/{id}/run',
    needs: 'secrets',
    status: 201,
    refusals: { 409: 'A run of it goes on' },
    perMinute: 20,
    input: ById,
    output: AppRun,
  }),
  previewSchedule: query({
    summary: 'What a schedule means: in words, and the next three times at which it is due',
    route: 'GET /api/cron-schedule',
    input: z.object({ schedule: Schedule, timeZone: TimeZone.default(DEFAULT_TIME_ZONE) }),
    output: SchedulePreview,
  }),
  list: query({
    summary: "A project's runs of jobs and commands, newest first; of one job with `jobId`",
    route: 'GET /api/projects/{id}/runs',
    forAssistant: true,
    input: ById.extend({ jobId: Id.optional(), kind: AppRun.shape.kind.optional() }).extend(Page.shape),
    output: z.array(AppRun),
  }),
  runCommand: mutation({
    summary:
      "Run a command in the app's environment: in the folder of the live release, or of the newest that is kept",
    route: 'POST /api/projects/{id}/runs',
    needs: 'secrets',
    status: 201,
    refusals: { 409: 'There is no release to run it in, or too many commands are running' },
    perMinute: 20,
    input: z.object({
      id: Id,
      command: Command,
      timeLimit: timeLimit(MAX_COMMAND_LIMIT).default(DEFAULT_COMMAND_LIMIT),
    }),
    output: AppRun,
  }),
  get: query({
    summary: 'One run',
    route: 'GET /api/runs/{id}',
    forAssistant: true,
    input: ById,
    output: AppRun,
  }),
  cancel: mutation({
    summary: 'Cancel a run that is queued or running: its processes are ended',
    route: 'POST /api/runs/{id}/cancel',
    refusals: { 409: 'It has already finished' },
    perMinute: 60,
    input: ById,
    output: AppRun,
  }),
  logText: bytes({
    summary: "A run's output as text",
    route: 'GET /api/runs/{id}/log',
    perMinute: 60,
    // `1` makes it a file to save.
    input: ById.extend({ download: z.enum(['1']).optional().catch(undefined) }),
    gives: { type: 'text/plain', what: 'The output' },
  }),
  terminal: query({
    summary:
      "Whether a terminal can be opened: by the project's owner, and through the API by an admin. A WebSocket to the same path, with a session's cookie and the console's origin, opens one",
    route: 'GET /api/projects/{id}/terminal',
    sessionOnly: true,
    input: ById,
    output: TerminalState,
  }),
  /** Each event's id is the chunk's `seq`, so a reader resumes where it left off. Ends when the run does. */
  log: subscription({
    summary: "A run's output from the start, then live",
    input: StreamById,
    output: LogChunk,
  }),
  /** Sends each run that changed, and all that are unfinished at the start. */
  changes: subscription({
    summary: "A project's runs as they change",
    input: StreamById,
    output: AppRun,
  }),
};
