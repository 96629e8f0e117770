import { type GatewayTransaction, MAX_FUNDS, type NewReceive } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, unprocessable } from '../../core/errors.ts';
import { balanceOf, post } from '../ledger/ledger.ts';
import { type Account, accountClosed, lockOwn } from './accounts.ts';
import { findPayment, newReference } from './payments.ts';
import type { Rail } from './rail.ts';

type Received = z.output<typeof NewReceive>;

export function overLimit() {
  return unprocessable('LIMIT', 'The receiving account would exceed its balance limit.');
}

/**
 * Credits test money, and marks the account as holding some. Throws 403 off the sandbox rail, 404, 409
 * ACCOUNT_CLOSED and 422 LIMIT.
 */
export async function receive(
  { db, ownerId }: UserContext,
  rail: Pick<Rail, 'sandbox'>,
  input: Received,
): Promise<GatewayTransaction> {
  if (!rail.sandbox) {
    throw forbidden('FORBIDDEN', 'Test payments can only be received on the sandbox rail.');
  }
  return atomically(db, async (trx) => {
    const account = await lockOwn(trx, ownerId, input.virtualAccountId);
    if (account.closedAt !== null) throw accountClosed();
    const { availableId, heldId, outsideId } = account;
    if ((await balanceOf(trx, [availableId, heldId])) + input.amount > MAX_FUNDS) throw overLimit();
    const reference = newReference();
    const paymentId = await insertPayment(trx, { account, input, reference });
    const entries = [
      { accountId: outsideId, amount: -input.amount },
      { accountId: availableId, amount: input.amount, line: { kind: 'received', paymentId } as const },
    ];
    await post(trx, { reference, entries });
    if (!account.holdsTestFunds) await markTestFunds(trx, account.id);
    return findPayment(trx, ownerId, paymentId);
  });
}

async function insertPayment(
  trx: Kysely<Database>,
  { account, input, reference }: { account: Account; input: Received; reference: string },
): Promise<string> {
  const { id } = await trx
    .insertInto('gatewayPayments')
    .values({
      ...input,
      ownerId: account.ownerId,
      type: 'receive',
      status: 'completed',
      outside: true,
      reference,
      receiverAccountName: account.accountName,
      receiverAccountNumber: account.accountNumber,
      receiverBankName: account.bankName,
      settledAt: sql<string>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function markTestFunds(trx: Kysely<Database>, id: string): Promise<void> {
  await trx.updateTable('virtualAccounts').set({ holdsTestFunds: true }).where('id', '=', id).execute();
}
