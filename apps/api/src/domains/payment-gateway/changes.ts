import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { listAccountIds } from './accounts.ts';

/** "<owner id> <virtual account id>": a payment of it was made or changed. Sent by a trigger, see migration 0013. */
const PAYMENT_CHANGED = 'payment_changed';
/** Milliseconds between two rounds: an account that changes a thousand times a second is named ten times. */
const PAUSE = 100;

/**
 * The ids of the owner's virtual accounts whose money or payments changed: at first each of them, also for whoever comes
 * back; closed ones too, which may have been open before.
 */
export async function* followAccounts(
  ctx: UserContext,
  notifications: Notifications,
): AsyncGenerator<Tracked<{ virtualAccountId: string }>> {
  const changed = new Set<string>();
  let all = true;
  const missed = () => {
    all = true;
  };
  const concerns = (about: string) => {
    const [owner, account = ''] = about.split(' ');
    if (owner === ctx.ownerId) changed.add(account);
    return owner === ctx.ownerId;
  };
  const follower = follow(notifications, {
    channels: [PAYMENT_CHANGED],
    ...{ concerns, missed, signal: ctx.signal },
  });
  try {
    do {
      const ids = all ? await listAccountIds(ctx) : [...changed];
      all = false;
      changed.clear();
      for (const id of ids) yield { id, data: { virtualAccountId: id } };
      await follower.rest(PAUSE);
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}
