import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../context.ts';
import { follow } from '../../platform/follow.ts';

/** "<user id>": their subscription, card or payments changed. Sent by triggers, see migration 0015. */
const BILLING_CHANGED = 'billing_changed';

/** An event at first, and whenever something that the signed-in person's billing page shows has changed. */
export async function* followBilling(
  { notifications, user }: UserContext,
  signal: AbortSignal | undefined,
): AsyncGenerator<Tracked<Record<string, never>>> {
  const concerns = (userId: string) => userId === user.id;
  const follower = follow(notifications, { channels: [BILLING_CHANGED], concerns, signal });
  try {
    do {
      yield { id: user.id, data: {} };
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}
