import { stripVTControlCharacters } from 'node:util';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { recordEvent } from '../observability/events.ts';
import type { Run, RunEnd } from './lease.ts';

/** Pieces and lines of a run's output that its event shows. */
const LAST_PIECES = 4;
const LAST_LINES = 20;

/** Adds a run of a job that did not succeed to its project's events. Logs its own failure: the run is recorded. */
export async function tellFailure(
  { db, log }: { db: Kysely<Database>; log: Logger },
  run: Run,
  end: RunEnd,
): Promise<void> {
  if (run.jobId === null || (end.status !== 'failed' && end.status !== 'timed-out')) return;
  try {
    const job = await db.selectFrom('cronJobs').select('name').where('id', '=', run.jobId).executeTakeFirst();
    if (!job) return;
    await recordEvent(db, {
      projectId: run.projectId,
      kind: 'cron-failed',
      message: `The cron job ${job.name} failed. ${end.error}`,
      exitCode: end.status === 'failed' ? end.exitCode : null,
      lastLines: await lastLinesOf(db, run.id),
    });
  } catch (error) {
    log.error({ err: error, run: run.id }, 'the failure of a job could not be told');
  }
}

/** What the command wrote, without what we said of it. */
async function lastLinesOf(db: Kysely<Database>, runId: string): Promise<string> {
  const pieces = await db
    .selectFrom('appRunLog')
    .select('text')
    .where('runId', '=', runId)
    .where('stream', '<>', 'system')
    .orderBy('seq', 'desc')
    .limit(LAST_PIECES)
    .execute();
  const text = pieces
    .reverse()
    .map((piece) => piece.text)
    .join('');
  return stripVTControlCharacters(text).trimEnd().split(/\r?\n/).slice(-LAST_LINES).join('\n');
}
