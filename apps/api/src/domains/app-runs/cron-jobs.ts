import { type CronJob, type CronJobChange, MAX_CRON_JOBS, type NewCronJob } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import { assertMayRunCode } from '../projects/runnable.ts';
import type { AppRunsParts } from './app-runs.ts';
import { describeSchedule } from './describe-schedule.ts';
import { findJob, readJobs } from './read.ts';
import { nextRuns, readSchedule, type Schedule } from './schedule.ts';

const PREVIEWED = 3;

/** A project's jobs, by name. */
export async function listJobs({ db, ownerId }: UserContext, projectId: string): Promise<CronJob[]> {
  await assertProject(db, ownerId, projectId);
  return readJobs(db, ownerId, { projectId });
}

/** Makes a job; a project can have up to 50. */
export async function createJob(
  { db, workspace, ownerId }: UserContext,
  { settings, commands }: Pick<AppRunsParts, 'settings' | 'commands'>,
  { id: projectId, ...job }: z.output<typeof NewCronJob>,
): Promise<CronJob> {
  assertMayRunCode(settings, workspace, commands.isolation(), { builds: false });
  readSchedule(job);
  return atomically(db, async (trx) => {
    if (!(await lockProject(trx, ownerId, projectId))) throw notFound();
    const { count } = await trx
      .selectFrom('cronJobs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('projectId', '=', projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_CRON_JOBS) {
      throw forbidden('QUOTA_EXCEEDED', `A project can have up to ${MAX_CRON_JOBS} cron jobs.`);
    }
    const nextRunAt = job.enabled ? dueAfter(job, await databaseNow(trx)) : null;
    const { id } = await trx
      .insertInto('cronJobs')
      .values({ ...job, ownerId, projectId, nextRunAt })
      .returning('id')
      .executeTakeFirstOrThrow();
    return findJob(trx, ownerId, id);
  });
}

/** Changes a job. When it is due next is found anew only where that may be another time. */
export async function updateJob(
  { db, workspace, ownerId }: UserContext,
  { settings, commands }: Pick<AppRunsParts, 'settings' | 'commands'>,
  { id, ...change }: z.output<typeof CronJobChange>,
): Promise<CronJob> {
  assertMayRunCode(settings, workspace, commands.isolation(), { builds: false });
  return atomically(db, async (trx) => {
    const before = await trx
      .selectFrom('cronJobs')
      .selectAll()
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw notFound();
    const after = { ...before, ...change };
    readSchedule(after);
    const isSame =
      after.schedule === before.schedule &&
      after.timeZone === before.timeZone &&
      after.enabled === before.enabled;
    const nextRunAt = isSame
      ? before.nextRunAt
      : after.enabled
        ? dueAfter(after, await databaseNow(trx))
        : null;
    await trx
      .updateTable('cronJobs')
      .set({ ...change, nextRunAt })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    return findJob(trx, ownerId, id);
  });
}

/** Deletes a job with its runs; the one that goes on hears of it by its row's end. */
export async function removeJob({ db, ownerId }: UserContext, id: string): Promise<{ success: true }> {
  const deleted = await db
    .deleteFrom('cronJobs')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notFound();
  return { success: true };
}

/** A schedule in words, and when it is due next. */
export async function previewSchedule({ db }: UserContext, schedule: Schedule) {
  const next = nextRuns(schedule, await databaseNow(db), PREVIEWED);
  return {
    description: describeSchedule(schedule.schedule),
    next: next.map((due) => due.toISOString()),
  };
}

function dueAfter(schedule: Schedule, now: Date): string | null {
  return nextRuns(schedule, now, 1)[0]?.toISOString() ?? null;
}
