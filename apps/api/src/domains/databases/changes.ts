import type { DatabaseChange, ManagedDatabase } from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { listDatabases } from './service.ts';

/** "<owner id> <database id>": what a database shows has changed. Sent by a trigger, see migration 0006. */
export const DATABASE_CHANGED = 'database_changed';

/**
 * The signed-in person's databases: at first each of them, then those that change or go. An event's id is that of its
 * database: who comes back is told of each of them again.
 */
export async function* followDatabases(
  ctx: UserContext,
  notifications: Notifications,
): AsyncGenerator<Tracked<DatabaseChange>> {
  const concerns = (about: string) => about.startsWith(ctx.ownerId);
  const follower = follow(notifications, { channels: [DATABASE_CHANGED], concerns, signal: ctx.signal });
  let known = new Map<string, ManagedDatabase>();
  try {
    do {
      const now = await readAll(ctx);
      for (const change of changesBetween(known, now)) yield { id: change.id, data: change };
      known = now;
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}

async function readAll(ctx: UserContext): Promise<Map<string, ManagedDatabase>> {
  const databases = await listDatabases(ctx, { limit: MAX_PAGE });
  return new Map(databases.map((database) => [database.id, database]));
}

function* changesBetween(
  before: ReadonlyMap<string, ManagedDatabase>,
  after: ReadonlyMap<string, ManagedDatabase>,
): Generator<DatabaseChange> {
  for (const id of before.keys()) if (!after.has(id)) yield { id, database: null };
  for (const [id, database] of after) {
    if (JSON.stringify(before.get(id)) !== JSON.stringify(database)) yield { id, database };
  }
}
