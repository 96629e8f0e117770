import { randomInt } from 'node:crypto';
import {
  MAX_PAGE,
  MAX_VIRTUAL_ACCOUNTS,
  type NewVirtualAccount,
  type Page,
  type VirtualAccount,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { assertRoom } from '../../platform/account-lock.ts';
import { openFunds } from '../ledger/ledger.ts';

const ROOM = {
  table: 'virtualAccounts',
  most: MAX_VIRTUAL_ACCOUNTS,
  refusal: `A person can have ${MAX_VIRTUAL_ACCOUNTS} virtual accounts.`,
} as const;

/** Someone's virtual accounts with exactly what the contract shows. */
function accountsOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('virtualAccounts as account')
    .where('account.ownerId', '=', ownerId)
    .innerJoin('ledgerAccounts as available', 'available.id', 'account.availableId')
    .innerJoin('ledgerAccounts as held', 'held.id', 'account.heldId')
    .select([
      'account.id',
      'account.accountName',
      'account.bankName',
      'account.accountNumber',
      'available.balance',
      'held.balance as pending',
      'account.currency',
      'account.holdsTestFunds',
      'account.createdAt',
    ]);
}

/** The owner's virtual accounts, newest first. */
export function listAccounts(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<VirtualAccount[]> {
  const all = accountsOf(db, ownerId).orderBy('account.id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('account.id', '<', cursor)).execute();
}

/** Throws 404. */
export async function getAccount({ db, ownerId }: UserContext, id: string): Promise<VirtualAccount> {
  const account = await accountsOf(db, ownerId).where('account.id', '=', id).executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

/** Opens an account with 0 in it. Throws 403 where there is no room for another. */
export async function createAccount(
  ctx: UserContext,
  input: z.output<typeof NewVirtualAccount>,
): Promise<VirtualAccount> {
  return atomically(ctx.db, async (trx) => {
    await assertRoom(trx, ctx.ownerId, ROOM);
    const funds = await openFunds(trx);
    for (;;) {
      const inserted = await trx
        .insertInto('virtualAccounts')
        .values({ ...input, ...funds, ownerId: ctx.ownerId, accountNumber: randomNumber() })
        .onConflict((conflicting) => conflicting.column('accountNumber').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted) return getAccount({ ...ctx, db: trx }, inserted.id);
    }
  });
}

/** Ten digits. */
function randomNumber(): string {
  return String(randomInt(10 ** 10)).padStart(10, '0');
}
