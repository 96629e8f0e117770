import {
  type Beneficiary,
  MAX_BENEFICIARIES,
  MAX_PAGE,
  type NewBeneficiary,
  type Page,
} from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { assertRoom } from '../../platform/account-lock.ts';

const ROOM = {
  table: 'beneficiaries',
  most: MAX_BENEFICIARIES,
  refusal: `You can save up to ${MAX_BENEFICIARIES.toLocaleString('en-US')} beneficiaries. Remove one you no longer need.`,
} as const;

const SHOWN = ['id', 'accountName', 'accountNumber', 'bankName', 'bankCode', 'createdAt'] as const;

/** The owner's beneficiaries, newest first. */
export function listBeneficiaries(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<Beneficiary[]> {
  const all = db
    .selectFrom('beneficiaries')
    .where('ownerId', '=', ownerId)
    .select(SHOWN)
    .orderBy('id', 'desc')
    .limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

/** Throws 409 EXISTS, and 403 where there is no room for another. */
export async function createBeneficiary(
  { db, ownerId }: UserContext,
  input: z.output<typeof NewBeneficiary>,
): Promise<Beneficiary> {
  return atomically(db, async (trx) => {
    await assertRoom(trx, ownerId, ROOM);
    const beneficiary = await trx
      .insertInto('beneficiaries')
      .values({ ...input, ownerId })
      .onConflict((conflicting) => conflicting.columns(['ownerId', 'accountNumber', 'bankName']).doNothing())
      .returning(SHOWN)
      .executeTakeFirst();
    if (!beneficiary) throw conflict('EXISTS', "You've already saved this account.");
    return beneficiary;
  });
}

/** Throws 404. */
export async function removeBeneficiary(
  { db, ownerId }: UserContext,
  id: string,
): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('beneficiaries')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}
