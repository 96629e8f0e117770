import type { VirtualAccount } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { getAccount, lockOwn } from './accounts.ts';

/**
 * Closes an account for good; one that is closed stays as it is. It has to be empty, and what it has stays locked until
 * it is closed: money that is on its way into it arrives before that, or not at all. Its ledger accounts, its payments
 * and its number stay. Throws 404, and 409 PAYMENTS_PENDING and ACCOUNT_NOT_EMPTY.
 */
export function closeAccount(ctx: UserContext, id: string): Promise<VirtualAccount> {
  return atomically(ctx.db, async (trx) => {
    const { closedAt, availableId, heldId } = await lockOwn(trx, ctx.ownerId, id);
    if (closedAt === null) {
      // What is held is what is pending or processing: it may come back.
      if ((await balanceOf(trx, [heldId])) > 0) throw paymentsPending();
      if ((await balanceOf(trx, [availableId])) > 0) throw notEmpty();
      await trx
        .updateTable('virtualAccounts')
        // Not when the transaction began: it may have waited for money that came in since.
        .set({ closedAt: sql<string>`clock_timestamp()` })
        .where('ownerId', '=', ctx.ownerId)
        .where('id', '=', id)
        .execute();
    }
    return getAccount({ ...ctx, db: trx }, id);
  });
}

function paymentsPending() {
  return conflict(
    'PAYMENTS_PENDING',
    'Payments from this account are still pending. Wait for them to finish, or cancel them.',
  );
}

function notEmpty() {
  return conflict(
    'ACCOUNT_NOT_EMPTY',
    "This account isn't empty. Send its balance to another account first.",
  );
}
