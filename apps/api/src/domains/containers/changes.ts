import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../context.ts';
import { follow } from '../../platform/follow.ts';

/** "<owner id>": something that the registry's pages show of their images has changed. By triggers, migration 0011. */
const CONTAINERS_CHANGED = 'containers_changed';
/** Milliseconds between two events: a push, or a crowd that pulls, is many changes. */
const REST_MS = 1000;

/** Tells the signed-in person when something of their images has changed; the event's id is its instant. */
export async function* followImages(
  { user, notifications }: UserContext,
  signal: AbortSignal | undefined,
): AsyncGenerator<Tracked<{ at: string }>> {
  const concerns = (ownerId: string) => ownerId === user.id;
  const follower = follow(notifications, { channels: [CONTAINERS_CHANGED], concerns, signal });
  try {
    while ((await follower.turn()) === 'news') {
      const at = new Date().toISOString();
      yield { id: at, data: { at } };
      await follower.rest(REST_MS);
    }
  } finally {
    follower.end();
  }
}
