import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import { raiseAlert } from '../alerts/raise-alert.ts';
import { queueRun } from './runs.ts';
import { type Missed, MOST_COUNTED, type Turn, turnOf } from './schedule.ts';
import { jobsPage } from './tell-failure.ts';

/** Jobs that get their turn in one transaction. */
const BATCH = 20;

const OVERLAP = 'The run before was still going on.';

type Job = Selectable<Database['cronJobs']>;

/** Gives each job that is due by `now` its turn: queues its run, and says what was missed. One server takes each. */
export async function queueDue({ db, log }: { db: Kysely<Database>; log: Logger }, now: Date): Promise<void> {
  for (let taken = BATCH; taken === BATCH; ) {
    taken = await atomically(db, async (trx) => {
      const jobs = await trx
        .selectFrom('cronJobs')
        .selectAll()
        .where('nextRunAt', '<=', now.toISOString())
        .orderBy('nextRunAt')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const job of jobs) await takeTurn(trx, { job, now, log });
      return jobs.length;
    });
  }
}

async function takeTurn(
  trx: Kysely<Database>,
  { job, now, log }: { job: Job; now: Date; log: Logger },
): Promise<void> {
  let turn: Turn;
  try {
    turn = turnOf(job, new Date(job.nextRunAt ?? now), now);
  } catch (error) {
    // What was accepted once may be no schedule to a later parser, or no zone to a later system.
    log.error({ err: error, job: job.id }, 'a schedule can no longer be read');
    turn = { onTime: null, missed: null, next: null };
  }
  await trx
    .updateTable('cronJobs')
    .set({ nextRunAt: turn.next?.toISOString() ?? null })
    .where('id', '=', job.id)
    .execute();
  if (turn.missed) await miss(trx, job, turn.missed);
  if (turn.onTime) await queue(trx, job, { cause: 'schedule', due: turn.onTime });
  else if (turn.missed && job.catchUp) await queue(trx, job, { cause: 'catch-up', due: turn.missed.last });
}

async function queue(
  trx: Kysely<Database>,
  job: Job,
  { cause, due }: { cause: 'schedule' | 'catch-up'; due: Date },
): Promise<void> {
  const { id: jobId, ownerId, projectId, command, timeLimit } = job;
  const scheduledFor = due.toISOString();
  const run = { ownerId, projectId, jobId, command, timeLimit, cause, scheduledFor };
  if (!(await queueRun(trx, run))) await record(trx, job, { status: 'skipped', due, error: OVERLAP });
}

async function miss(trx: Kysely<Database>, job: Job, missed: Missed): Promise<void> {
  const error = missedText(missed);
  await record(trx, job, { status: 'missed', due: missed.last, error });
  await raiseAlert(trx, {
    ...{ ownerId: job.ownerId, kind: 'cron-missed', text: `The cron job ${job.name} was missed. ${error}` },
    subject: { kind: 'cron-job', id: job.id, name: job.name },
    path: jobsPage(job.projectId),
  });
}

/** Writes down a run that did not take place. */
async function record(
  trx: Kysely<Database>,
  { id: jobId, ownerId, projectId, command, timeLimit }: Job,
  { status, due, error }: { status: 'missed' | 'skipped'; due: Date; error: string },
): Promise<void> {
  const scheduledFor = due.toISOString();
  const run = { ownerId, projectId, jobId, command, timeLimit, status, error, scheduledFor };
  await trx
    .insertInto('appRuns')
    .values({ ...run, kind: 'cron', cause: 'schedule', finishedAt: sql`now()` })
    .execute();
}

function missedText({ count, first }: Missed): string {
  if (count === 1) return 'The server was not running when this run was due.';
  const since = `${first.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const number = count === MOST_COUNTED ? `More than ${MOST_COUNTED}` : String(count);
  return `The server was not running. ${number} runs were missed, the first at ${since}.`;
}
