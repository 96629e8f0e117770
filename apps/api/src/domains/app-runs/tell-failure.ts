import { stripVTControlCharacters } from 'node:util';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import { recordEvent } from '../observability/events.ts';
import type { Run, RunEnd } from './lease.ts';

/** Pieces and lines of a run's output that its event shows. */
const LAST_PIECES = 4;
const LAST_LINES = 20;

/**
 * Adds a run of a job that did not succeed to its project's events, and raises an alert, which has recovered with a run
 * that does. Logs its own failure: the run is recorded.
 */
export async function tellFailure(
  { db, log }: { db: Kysely<Database>; log: Logger },
  run: Run,
  end: RunEnd,
): Promise<void> {
  const { id, jobId, ownerId, projectId } = run;
  if (jobId === null) return;
  try {
    if (end.status === 'succeeded') {
      await recoverAlerts(db, { ownerId, kinds: ['cron-failed', 'cron-missed'], subjectId: jobId });
    }
    if (end.status !== 'failed' && end.status !== 'timed-out') return;
    const job = await db.selectFrom('cronJobs').select('name').where('id', '=', jobId).executeTakeFirst();
    if (!job) return;
    const message = `The cron job ${job.name} failed. ${end.error}`;
    const exitCode = end.status === 'failed' ? end.exitCode : null;
    const lastLines = await lastLinesOf(db, id);
    await atomically(db, async (trx) => {
      await recordEvent(trx, { projectId, kind: 'cron-failed', message, exitCode, lastLines });
      await raiseAlert(trx, {
        ...{ ownerId, kind: 'cron-failed', text: message },
        subject: { kind: 'cron-job', id: jobId, name: job.name },
        path: jobsPage(projectId),
      });
    });
  } catch (error) {
    log.error({ err: error, run: run.id }, 'the failure of a job could not be told');
  }
}

/** The console's page of a project's cron jobs. */
export function jobsPage(projectId: string): string {
  return `/projects/${projectId}/jobs`;
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
