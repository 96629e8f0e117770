import type { AppRun } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../core/context.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { assertProject } from '../projects/read.ts';
import { APP_RUN_CHANGED } from './channels.ts';
import { runsOf, UNFINISHED } from './read.ts';

/** A change carries the time at which it was written, and others can see it within this time. */
const COMMIT_MS = 15_000;

/**
 * A project's runs: at first those that are unfinished or have just changed, after a reconnection since then; then
 * each one that changes. The event's id is the instant of the change.
 */
export async function* followRuns(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id: projectId, lastEventId }: { id: string; lastEventId: string | undefined },
): AsyncGenerator<Tracked<AppRun>> {
  await assertProject(db, ownerId, projectId);
  const concerns = (about: string) => about.startsWith(projectId);
  const follower = follow(notifications, { channels: [APP_RUN_CHANGED], concerns, signal });
  const sent = new Map<string, string>();
  try {
    let since = Number.isNaN(Date.parse(lastEventId ?? ''))
      ? await databaseNow(db)
      : new Date(lastEventId ?? '');
    do {
      const changed = await runsOf(db, ownerId)
        .select('changedAt')
        .where('projectId', '=', projectId)
        .where(({ eb, or }) =>
          or([
            eb('changedAt', '>=', new Date(since.getTime() - COMMIT_MS).toISOString()),
            eb('status', 'in', UNFINISHED),
          ]),
        )
        .orderBy('changedAt')
        .orderBy('id')
        .execute();
      for (const { changedAt, ...run } of changed) {
        since = new Date(changedAt);
        if (sent.get(run.id) === run.status) continue;
        sent.set(run.id, run.status);
        yield { id: changedAt, data: run };
      }
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}
