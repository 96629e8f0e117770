import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../context.ts';
import { follow } from '../../platform/follow.ts';
import { listAccounts } from './accounts.ts';

/** "<owner id> <virtual account id>": a payment of it was made or changed. Sent by a trigger, see migration 0013. */
const PAYMENT_CHANGED = 'payment_changed';
/** Milliseconds: what moves a thousand times a second is told of ten times. */
const PAUSE = 100;

/**
 * The ids of the signed-in person's virtual accounts whose money or payments changed: at first each of them. Whoever
 * comes back is told of each of them again.
 */
export async function* followAccounts(
  ctx: UserContext,
  signal: AbortSignal | undefined,
): AsyncGenerator<Tracked<{ virtualAccountId: string }>> {
  const changed = new Set<string>();
  let all = true;
  const missed = () => {
    all = true;
  };
  const concerns = (about: string) => {
    const [owner, account = ''] = about.split(' ');
    if (owner === ctx.user.id) changed.add(account);
    return owner === ctx.user.id;
  };
  const follower = follow(ctx.notifications, { channels: [PAYMENT_CHANGED], concerns, signal, missed });
  try {
    do {
      const ids = all ? (await listAccounts(ctx)).map(({ id }) => id) : [...changed];
      all = false;
      changed.clear();
      for (const id of ids) yield { id, data: { virtualAccountId: id } };
      await follower.rest(PAUSE);
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}
