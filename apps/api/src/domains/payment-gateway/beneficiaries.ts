import {
  type Beneficiary,
  MAX_BENEFICIARIES,
  MAX_PAGE,
  type NewBeneficiary,
  type Page,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';
import { countOwned } from '../auth/count-owned.ts';
import { lockAccount } from '../auth/lock-account.ts';

const SHOWN = ['id', 'accountName', 'accountNumber', 'bankName', 'bankCode', 'createdAt'] as const;

/** The signed-in person's beneficiaries, newest first. */
export function listBeneficiaries(
  { db, user }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<Beneficiary[]> {
  const all = db
    .selectFrom('beneficiaries')
    .where('ownerId', '=', user.id)
    .select(SHOWN)
    .orderBy('id', 'desc')
    .limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

/** Throws 409 EXISTS, and 403 where there is no room for another. */
export async function createBeneficiary(
  { db, user }: UserContext,
  input: z.output<typeof NewBeneficiary>,
): Promise<Beneficiary> {
  return atomically(db, async (trx) => {
    await assertRoom(trx, user.id);
    const beneficiary = await trx
      .insertInto('beneficiaries')
      .values({ ...input, ownerId: user.id })
      .onConflict((conflicting) => conflicting.columns(['ownerId', 'accountNumber', 'bankName']).doNothing())
      .returning(SHOWN)
      .executeTakeFirst();
    if (!beneficiary) throw conflict('EXISTS', 'You already have a beneficiary with this account.');
    return beneficiary;
  });
}

/** Under the person's lock, so that calls at the same time are counted one after the other. */
async function assertRoom(trx: Kysely<Database>, userId: string): Promise<void> {
  await lockAccount(trx, userId);
  const count = await countOwned(trx, 'beneficiaries', userId);
  if (count < MAX_BENEFICIARIES) return;
  throw forbidden('PLAN_LIMIT_REACHED', `A person can keep ${MAX_BENEFICIARIES} beneficiaries.`);
}

/** Throws 404. */
export async function removeBeneficiary({ db, user }: UserContext, id: string): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('beneficiaries')
    .where('ownerId', '=', user.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}
