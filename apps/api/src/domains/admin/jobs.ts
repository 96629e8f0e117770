import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { cancelJob, type KnownJob, retryJob } from '../../platform/jobs-list.ts';
import type { Mail } from '../../platform/mail/mail.ts';

/** Runs a job at once. Throws 404, and 409 where its next run waits already. */
export function runJobNow(ctx: UserContext, mail: Mail, id: string): Promise<{ success: true }> {
  return changeJob(ctx, async (trx) => {
    const job = await retryJob(trx, id);
    if (job) await mail.hurry(trx, job);
    return job;
  });
}

/** Takes a job out. Throws 404. */
export function takeJobOut(ctx: UserContext, id: string): Promise<{ success: true }> {
  return changeJob(ctx, (trx) => cancelJob(trx, id));
}

function changeJob(
  { db, audit }: UserContext,
  change: (trx: Kysely<Database>) => Promise<KnownJob | undefined>,
): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    const job = await change(trx);
    if (!job) throw notFound('NOT_FOUND', 'This job has ended meanwhile.');
    audit.note({ subject: { name: job.queue } });
    return { success: true as const };
  });
}
