import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { conflict } from '../core/errors.ts';

/** Jobs that are listed at most: those that failed first, then those that run, then those that wait. */
const LISTED = 200;
const ERROR_MAX = 300;

export interface QueueState {
  name: string;
  waiting: number;
  running: number;
  failed: number;
}

export interface JobState {
  id: string;
  queue: string;
  /** `failed`: it is out of runs; until a day later it can be run once more. */
  state: 'waiting' | 'running' | 'failed';
  createdAt: string;
  /** When its newest run began; null before the first. */
  startedAt: string | null;
  /** When it is due. */
  dueAt: string;
  /** Runs that began. */
  runs: number;
  /** Why its newest run did not finish; '' where none failed. */
  error: string;
}

/** What an error says, without what may be a secret: credentials in addresses, and long runs of letters with digits. */
export function withoutSecrets(message: string): string {
  const safe = message
    .replaceAll(/:\/\/[^/\s@]+@/g, '://…@')
    .replaceAll(/(?=[\w+/=-]*\d)[\w+/=-]{24,}/g, '…')
    .replaceAll(/\s+/g, ' ');
  return safe.length > ERROR_MAX ? `${safe.slice(0, ERROR_MAX - 1)}…` : safe;
}

/** Whether a job is of interest, and what it is: pg-boss keeps what is done for a day as well. */
const STATE = sql<JobState['state'] | null>`
  case when state in ('created', 'retry') then 'waiting' when state = 'active' then 'running'
    when state = 'failed' or output ? 'gaveUp' then 'failed' end`;

/** What waits, runs and has failed, by the tables of pg-boss. Its own queues are left out. */
export async function readJobs(db: Kysely<Database>): Promise<{ queues: QueueState[]; jobs: JobState[] }> {
  const known = sql`
    (select *, ${STATE} as kind from pgboss.job where name not like '\\_\\_pgboss%') job
    where kind is not null`;
  const { rows: queues } = await sql<QueueState>`
    select name, count(*) filter (where kind = 'waiting') as waiting,
      count(*) filter (where kind = 'running') as running, count(*) filter (where kind = 'failed') as failed
    from ${known} group by name order by name`.execute(db);
  const { rows: jobs } = await sql<JobState>`
    select id, name as queue, kind as state, created_on as "createdAt", started_on as "startedAt",
      start_after as "dueAt", retry_count + case when state in ('active', 'completed') then 1 else 0 end as runs,
      coalesce(output ->> 'gaveUp', output ->> 'message', '') as error
    from ${known} order by array_position(array['failed', 'running', 'waiting'], kind), created_on desc
    limit ${LISTED}`.execute(db);
  return { queues, jobs: jobs.map((job) => ({ ...job, error: withoutSecrets(job.error) })) };
}

/** A job, with what it was given. */
export interface KnownJob {
  queue: string;
  payload: unknown;
}

/** A job that waits, runs or has failed; undefined where there is none. Holds its row. */
async function holdJob(trx: Kysely<Database>, id: string) {
  const { rows } = await sql<KnownJob & { kind: JobState['state'] | null }>`
    select name as queue, data as payload, ${STATE} as kind from pgboss.job
    where id = ${id} and name not like '\\_\\_pgboss%' for update`.execute(trx);
  return rows[0]?.kind ? rows[0] : undefined;
}

/**
 * Runs a job that waits or has failed as soon as a worker is free. Undefined where it does neither. Throws 409 where the
 * queue takes one at a time and another waits or runs.
 */
export async function retryJob(trx: Kysely<Database>, id: string): Promise<KnownJob | undefined> {
  const job = await holdJob(trx, id);
  if (!job || job.kind === 'running') return undefined;
  // Without an earlier start it counts its runs anew; one that waits for its next run goes on counting.
  await sql`
    update pgboss.job
    set start_after = now()${
      job.kind === 'failed'
        ? sql`, state = 'created', retry_count = 0, started_on = null, completed_on = null, output = null,
          keep_until = greatest(keep_until, now() + interval '1 day')`
        : sql``
    }
    where name = ${job.queue} and id = ${id}`
    .execute(trx)
    .catch((error: unknown) => {
      throw isDuplicate(error)
        ? conflict('ALREADY_QUEUED', 'The next run of this job already waits.')
        : error;
    });
  return job;
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Takes a job out that waits, runs or has failed; one that runs is told to stop. */
export async function cancelJob(trx: Kysely<Database>, id: string): Promise<KnownJob | undefined> {
  const job = await holdJob(trx, id);
  if (!job) return undefined;
  await sql`
    update pgboss.job set state = 'cancelled', completed_on = now(), output = null
    where name = ${job.queue} and id = ${id}`.execute(trx);
  return job;
}
