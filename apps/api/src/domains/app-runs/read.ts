import type { AppRun, CronJob } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { notFound } from '../../core/errors.ts';
import { describeSchedule } from './describe-schedule.ts';

/** States that a run still leaves by itself. */
export const UNFINISHED = ['queued', 'running'] as const;

/** The columns of a run that the contract shows. */
const SHOWN = [
  ...(['id', 'projectId', 'jobId', 'kind', 'cause', 'command', 'status', 'exitCode', 'error'] as const),
  ...(['timeLimit', 'scheduledFor', 'createdAt', 'startedAt', 'finishedAt'] as const),
] as const;

/** Someone's runs with exactly what the contract shows. */
export function runsOf(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom('appRuns').select(SHOWN).where('ownerId', '=', ownerId);
}

export async function findRun(db: Kysely<Database>, ownerId: string, id: string): Promise<AppRun> {
  const run = await runsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!run) throw notFound();
  return run;
}

/** Someone's jobs, each with the newest of its runs that was begun or was to be. */
export async function readJobs(
  db: Kysely<Database>,
  ownerId: string,
  only: { projectId: string } | { id: string },
): Promise<CronJob[]> {
  const jobs = await db
    .selectFrom('cronJobs')
    .select(['id', 'projectId', 'name', 'schedule', 'timeZone', 'command', 'timeLimit', 'enabled'])
    .select(['catchUp', 'nextRunAt', 'createdAt'])
    .where('ownerId', '=', ownerId)
    .$if('id' in only, (query) => query.where('id', '=', 'id' in only ? only.id : ''))
    .$if('projectId' in only, (query) =>
      query.where('projectId', '=', 'projectId' in only ? only.projectId : ''),
    )
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  const newest = await newestRuns(
    db,
    ownerId,
    jobs.map(({ id }) => id),
  );
  return jobs.map((job) => ({
    ...job,
    description: describeSchedule(job.schedule),
    lastRun: newest.get(job.id) ?? null,
  }));
}

export async function findJob(db: Kysely<Database>, ownerId: string, id: string): Promise<CronJob> {
  const [job] = await readJobs(db, ownerId, { id });
  if (!job) throw notFound();
  return job;
}

async function newestRuns(
  db: Kysely<Database>,
  ownerId: string,
  jobIds: readonly string[],
): Promise<Map<string | null, AppRun>> {
  if (jobIds.length === 0) return new Map();
  const runs = await db
    .selectFrom(sql<{ wanted: string }>`unnest(${jobIds}::uuid[])`.as<'jobs'>(sql`jobs(wanted)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('appRuns')
          .select(SHOWN)
          .where('ownerId', '=', ownerId)
          .whereRef('jobId', '=', 'jobs.wanted')
          .orderBy('id', 'desc')
          .limit(1)
          .as('run'),
      (join) => join.onTrue(),
    )
    .selectAll('run')
    .execute();
  return new Map(runs.map((run) => [run.jobId, run]));
}
