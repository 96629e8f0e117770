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
import type { UserContext } from '../../context.ts';
import { forbidden, notFound } from '../../errors.ts';
import { countOwned } from '../auth/count-owned.ts';
import { lockAccount } from '../auth/lock-account.ts';
import { openFunds } from './ledger.ts';

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

/** The signed-in person's virtual accounts, newest first. */
export function listAccounts(
  { db, user }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<VirtualAccount[]> {
  const all = accountsOf(db, user.id).orderBy('account.id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('account.id', '<', cursor)).execute();
}

/** Throws 404. */
export async function getAccount({ db, user }: UserContext, id: string): Promise<VirtualAccount> {
  const account = await accountsOf(db, user.id).where('account.id', '=', id).executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

/** Opens an account with 0 in it. Throws 403 where there is no room for another. */
export async function createAccount(
  ctx: UserContext,
  input: z.output<typeof NewVirtualAccount>,
): Promise<VirtualAccount> {
  return atomically(ctx.db, async (trx) => {
    await assertRoom(trx, ctx.user.id);
    const funds = await openFunds(trx);
    for (;;) {
      const inserted = await trx
        .insertInto('virtualAccounts')
        .values({ ...input, ...funds, ownerId: ctx.user.id, accountNumber: randomNumber() })
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

/** Under the person's lock, so that calls at the same time are counted one after the other. */
async function assertRoom(trx: Kysely<Database>, userId: string): Promise<void> {
  await lockAccount(trx, userId);
  const count = await countOwned(trx, 'virtualAccounts', userId);
  if (count < MAX_VIRTUAL_ACCOUNTS) return;
  throw forbidden('PLAN_LIMIT_REACHED', `A person can have ${MAX_VIRTUAL_ACCOUNTS} virtual accounts.`);
}
