import { randomInt } from 'node:crypto';
import {
  MAX_PAGE,
  MAX_VIRTUAL_ACCOUNTS_EVER,
  type NewVirtualAccount,
  type Page,
  type VirtualAccount,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound, type Refusal } from '../../core/errors.ts';
import { assertRoom } from '../../platform/account-lock.ts';
import { lockAccounts, openFunds } from '../ledger/ledger.ts';
import { assertLimit } from '../plans/limits.ts';

export type Account = Selectable<Database['virtualAccounts']>;

type Listed = z.output<typeof Page> & { closed?: boolean | undefined };

const ROOM = {
  of: 'virtualAccounts',
  refusal: (most: number) =>
    `You can have up to ${most} open virtual accounts. Close one you no longer need.`,
} as const;

const ROOM_EVER = {
  table: 'virtualAccounts',
  most: MAX_VIRTUAL_ACCOUNTS_EVER,
  refusal: `You've reached the limit of ${MAX_VIRTUAL_ACCOUNTS_EVER.toLocaleString('en-US')} virtual accounts, including closed ones. Use an account you have open.`,
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
      'account.closedAt',
    ]);
}

/** The owner's open virtual accounts, or the closed ones, newest first. */
export function listAccounts(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor, closed = false }: Listed = {},
): Promise<VirtualAccount[]> {
  const all = accountsOf(db, ownerId)
    .where('account.closedAt', closed ? 'is not' : 'is', null)
    .orderBy('account.id', 'desc')
    .limit(limit);
  return (cursor === undefined ? all : all.where('account.id', '<', cursor)).execute();
}

/** The ids of all the owner's virtual accounts, closed ones included, newest first. */
export async function listAccountIds({ db, ownerId }: UserContext): Promise<string[]> {
  const rows = await db
    .selectFrom('virtualAccounts')
    .select('id')
    .where('ownerId', '=', ownerId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

/** Throws 404. */
export async function getAccount({ db, ownerId }: UserContext, id: string): Promise<VirtualAccount> {
  const account = await accountsOf(db, ownerId).where('account.id', '=', id).executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

/** Opens an account with 0 in it. Throws 403 PLAN_LIMIT_REACHED where there is no room for another. */
export async function createAccount(
  ctx: UserContext,
  input: z.output<typeof NewVirtualAccount>,
): Promise<VirtualAccount> {
  return atomically(ctx.db, async (trx) => {
    // First: whoever may not open another at all is not told to close one.
    await assertRoom(trx, ctx.ownerId, ROOM_EVER);
    await assertLimit(trx, ctx.ownerId, ROOM);
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

/** 409: nothing moves into or out of a closed account, and nothing changes about it. */
export function accountClosed(): Refusal {
  return conflict('ACCOUNT_CLOSED', 'This account is closed.');
}

/** Renames an open account. Throws 404, and 409 ACCOUNT_CLOSED. */
export async function renameAccount(
  ctx: UserContext,
  { id, accountName }: { id: string; accountName: string },
): Promise<VirtualAccount> {
  return atomically(ctx.db, async (trx) => {
    const { numUpdatedRows: renamed } = await trx
      .updateTable('virtualAccounts')
      .set({ accountName })
      .where('ownerId', '=', ctx.ownerId)
      .where('id', '=', id)
      .where('closedAt', 'is', null)
      .executeTakeFirst();
    const account = await getAccount({ ...ctx, db: trx }, id);
    if (renamed === 0n) throw accountClosed();
    return account;
  });
}

/**
 * Locks what is in one of the owner's accounts, as whoever moves money does, and reads the account after that: whether
 * it is open stays true until the transaction ends. Throws 404.
 */
export async function lockOwn(trx: Kysely<Database>, ownerId: string, id: string): Promise<Account> {
  const read = () =>
    trx
      .selectFrom('virtualAccounts')
      .selectAll()
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .executeTakeFirst();
  const found = await read();
  if (!found) throw notFound();
  await lockAccounts(trx, [found.availableId, found.heldId, found.outsideId]);
  return (await read()) ?? found;
}

/** Ten digits. A closed account's number is still its own, so nobody gets it again. */
function randomNumber(): string {
  return String(randomInt(10 ** 10)).padStart(10, '0');
}
