import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

/** A piece of background work that waits, runs or has failed. */
export const BackgroundJob = z.object({
  id: Id,
  queue: z.string(),
  /** `failed`: it is out of runs. It is listed for a day. */
  state: z.enum(['waiting', 'running', 'failed']),
  createdAt: z.iso.datetime(),
  /** When its newest run began; null before the first. */
  startedAt: z.iso.datetime().nullable(),
  dueAt: z.iso.datetime(),
  /** Runs that began. */
  runs: z.int(),
  /** Why its newest run did not finish, without secrets; '' where none failed. */
  error: z.string(),
});
export type BackgroundJob = z.output<typeof BackgroundJob>;

export const BackgroundJobs = z.object({
  /** Each queue that has any. */
  queues: z.array(z.object({ name: z.string(), waiting: z.int(), running: z.int(), failed: z.int() })),
  /** At most 200: those that failed first, then those that run, each newest first. */
  jobs: z.array(BackgroundJob),
});
export type BackgroundJobs = z.output<typeof BackgroundJobs>;

/** Rows of the domain `admin`. */
export const adminJobs = {
  jobs: query({
    summary: 'Background work that waits, runs or has failed, by queue',
    route: 'GET /api/admin/jobs',
    access: 'admin',
    perMinute: 120,
    output: BackgroundJobs,
  }),
  retryJob: mutation({
    summary: 'Run a job now that waits or has failed',
    route: 'POST /api/admin/jobs/{id}/retry',
    access: 'admin',
    status: 200,
    perMinute: 60,
    refusals: { 404: 'No such job waits or has failed', 409: 'Its next run waits already' },
    input: ById,
    output: Success,
  }),
  cancelJob: mutation({
    summary: 'Cancel a job; one that runs is told to stop',
    route: 'POST /api/admin/jobs/{id}/cancel',
    access: 'admin',
    status: 200,
    perMinute: 60,
    refusals: { 404: 'No such job waits, runs or has failed' },
    input: ById,
    output: Success,
  }),
};
