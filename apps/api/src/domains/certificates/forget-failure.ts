import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { conflict, rateLimited } from '../../core/errors.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { waitFor } from './attempts.ts';
import { chainOf, currentChain } from './follow-renewals.ts';

/** Whose order it is: somebody's domain's, or a name of the server's own. */
export type Ordered = { domainId: string; ownerId: string } | { ownName: string };

/**
 * Forgets why an order failed, so that it can be tried at once, and returns its id. Throws 409 where nothing failed, and 429
 * where the authority was asked too often or said how long to wait.
 */
export async function forgetFailure(trx: Kysely<Database>, directory: string, of: Ordered): Promise<string> {
  const order = await trx
    .selectFrom('certificateOrders')
    .select(['id', 'name', 'ownerId', 'error', 'heldUntil'])
    .select([
      sql<boolean>`${currentChain} is not null`.as('hasOne'),
      sql<boolean>`${chainOf(directory)} is not null`.as('renews'),
    ])
    .where(({ eb, and }) =>
      and(
        'ownName' in of
          ? [eb('domainId', 'is', null), eb('name', '=', of.ownName)]
          : [eb('ownerId', '=', of.ownerId), eb('domainId', '=', of.domainId)],
      ),
    )
    .forUpdate()
    .executeTakeFirst();
  if (!order?.error) {
    throw conflict('NOT_FAILED', "The last request didn't fail, so there is nothing to try again.");
  }
  const now = await databaseNow(trx);
  const wait = await waitFor(trx, { ...order, directory });
  const seconds = Math.max(secondsUntil(now, order.heldUntil), secondsUntil(now, wait?.until ?? null));
  if (seconds > 0) throw rateLimited(seconds);
  await trx.updateTable('certificateOrders').set({ error: '' }).where('id', '=', order.id).execute();
  return order.id;
}

/** 0 where that is past, or there is nothing to wait for. */
function secondsUntil(now: Date, until: string | null): number {
  return until === null ? 0 : Math.max(Math.ceil((Date.parse(until) - now.getTime()) / 1000), 0);
}
