import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { cancelJob, retryJob } from '../../platform/jobs-list.ts';

/** Runs a job at once, or takes it out. Throws 404. */
export function changeJob(
  { db, audit }: UserContext,
  { id, change }: { id: string; change: typeof retryJob | typeof cancelJob },
): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    const queue = await change(trx, id);
    if (queue === undefined) throw notFound('NOT_FOUND', 'This job has ended meanwhile.');
    audit.note({ subject: { name: queue } });
    return { success: true as const };
  });
}
