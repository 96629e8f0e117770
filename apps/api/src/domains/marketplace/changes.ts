import type { Installation, InstallationChange } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { listInstallations } from './service.ts';

/** "<owner id> <item id>": an installation has changed or is gone. Sent by triggers, see the migrations 0010 and 0045. */
export const INSTALLATION_CHANGED = 'installation_changed';

type Change = z.output<typeof InstallationChange>;

/**
 * The signed-in person's installations: at first each of them, then those that change or go. An event's id is that of
 * its item: who comes back is told of each of them again.
 */
export async function* followInstallations(
  ctx: UserContext,
  parts: MarketplaceParts,
): AsyncGenerator<Tracked<Change>> {
  const concerns = (about: string) => about.startsWith(ctx.ownerId);
  const follower = follow(parts.notifications, {
    channels: [INSTALLATION_CHANGED],
    concerns,
    signal: ctx.signal,
  });
  let known = new Map<string, Installation>();
  try {
    do {
      const now = new Map(
        (await listInstallations(ctx, parts, { attempts: true })).map((one) => [one.itemId, one]),
      );
      for (const change of changesBetween(known, now)) yield { id: change.itemId, data: change };
      known = now;
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}

function* changesBetween(
  before: ReadonlyMap<string, Installation>,
  after: ReadonlyMap<string, Installation>,
): Generator<Change> {
  for (const itemId of before.keys()) if (!after.has(itemId)) yield { itemId, installation: null };
  for (const [itemId, installation] of after) {
    if (JSON.stringify(before.get(itemId)) !== JSON.stringify(installation)) yield { itemId, installation };
  }
}
