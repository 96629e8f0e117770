import { type AppRun, appRuns, type CronJob } from '@nephos/contracts';
import { found, implement, silence, success } from './mock-implement.ts';
import { PROJECT_ID } from './mock-world.ts';

/** A run of a job that succeeded, but for what is changed of it. */
export function mockRun(change: Partial<AppRun> = {}): AppRun {
  return {
    id: '01890000-0000-7000-8000-0000000000b1',
    ...{ projectId: PROJECT_ID, jobId: null, kind: 'command', cause: 'person', command: 'npm run migrate' },
    ...{ status: 'succeeded', exitCode: 0, error: null, timeLimit: 600, scheduledFor: null },
    createdAt: '2026-11-20T09:00:00.000Z',
    startedAt: '2026-11-20T09:00:00.000Z',
    finishedAt: '2026-11-20T09:00:12.000Z',
    ...change,
  };
}

/** A job that runs each night, but for what is changed of it. */
export function mockJob(change: Partial<CronJob> = {}): CronJob {
  return {
    id: '01890000-0000-7000-8000-0000000000a1',
    ...{ projectId: PROJECT_ID, name: 'Nightly', schedule: '0 3 * * *', description: 'Every day at 03:00' },
    ...{ timeZone: 'Asia/Tokyo', command: 'node clean.js', timeLimit: 900, enabled: true, catchUp: false },
    ...{ nextRunAt: '2026-11-22T18:00:00.000Z', lastRun: null, createdAt: '2026-11-20T09:00:00.000Z' },
    ...change,
  };
}

export const appRunsMock = implement(appRuns, {
  jobs: ({ ctx }) => ctx.world.cronJobs,
  createJob: ({ ctx: { world }, input: { id: projectId, ...input } }) => {
    const job = mockJob({ ...input, projectId, id: crypto.randomUUID() });
    world.cronJobs = [...world.cronJobs, job];
    return job;
  },
  updateJob: ({ ctx, input }) => Object.assign(found(ctx.world.cronJobs, input.id), input),
  removeJob: ({ ctx: { world }, input }) => {
    world.cronJobs = world.cronJobs.filter(({ id }) => id !== input.id);
    return success;
  },
  runJob: ({ input }) => mockRun({ kind: 'cron', jobId: input.id, status: 'queued' }),
  previewSchedule: () => ({ description: 'Every day at 03:00', next: ['2026-11-22T03:00:00.000Z'] }),
  list: ({ ctx, input: { jobId } }) => ctx.world.runs.filter((run) => !jobId || run.jobId === jobId),
  runCommand: ({ ctx: { world }, input: { command } }) => {
    const run = mockRun({ id: crypto.randomUUID(), command, status: 'running', finishedAt: null });
    world.runs = [run, ...world.runs];
    return run;
  },
  get: ({ ctx, input }) => found(ctx.world.runs, input.id),
  cancel: ({ ctx, input }) => Object.assign(found(ctx.world.runs, input.id), { status: 'cancelled' }),
  terminal: () => ({ available: false, reason: 'There is no release to open a terminal in.' }),
  log: silence,
  changes: silence,
});
