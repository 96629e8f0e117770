import type { LogNews, observability } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { assertProject } from '../projects/read.ts';
import { PROJECT_LOG } from './log-store.ts';
import { findLines, newestLine } from './logs.ts';

/** Lines that a reader may be behind; of more, only as many of the newest are sent. */
const MAX_BEHIND = 5000;
/** Between two looks at a log that does not rest. */
const REST_MS = 200;

type Input = Omit<z.output<typeof observability.newLogs.input>, 'lastEventId'> & {
  lastEventId: string | undefined;
};

/** Lines that come to a project's log, after `lastEventId` or `after` where one is given. */
export async function* followLogs(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id, after, lastEventId, ...filter }: Input,
): AsyncGenerator<Tracked<LogNews>> {
  await assertProject(db, ownerId, id);
  const follower = follow(notifications, {
    channels: [PROJECT_LOG],
    concerns: (about) => about === id,
    signal,
  });
  try {
    let from = lineOf(lastEventId) ?? after ?? (await newestLine(db, id));
    do {
      const newest = await newestLine(db, id);
      let skipped = Math.max(0, newest - from - MAX_BEHIND);
      from += skipped;
      for await (const { lines, reached } of findLines(db, {
        projectId: id,
        way: { back: false, from },
        filter,
      })) {
        if (signal?.aborted) return;
        from = reached;
        if (lines.length === 0 && skipped === 0) continue;
        yield { id: String(from), data: { lines, skipped } };
        skipped = 0;
      }
      await follower.rest(REST_MS);
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}

function lineOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
