import { randomUUID } from 'node:crypto';
import type { GatewayTransaction, Inputs, VirtualAccount } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { vi } from 'vitest';
import { post } from '../../src/domains/ledger/ledger.ts';
import { createSandboxRail } from '../../src/domains/payment-gateway/sandbox-rail.ts';
import type { Answer, Person } from '../world.ts';

/** Whether the long forms of the ledger's tests run, instead of those that CI has time for. */
export const LONG = process.env.LEDGER_LONG === '1';

export const GATEWAY = '/api/payment-gateway';

/** A rail that settles as soon as it can. */
export const quickRail = () => createSandboxRail({ pickUpAfter: 0, settlesAfter: 0 });

type Caller = Pick<Person, 'rpc'>;

/** A virtual account with `balance` cents in it. */
export async function openAccount(
  { rpc }: Caller,
  { balance = 0, bankName = '' }: { balance?: number; bankName?: string } = {},
): Promise<VirtualAccount> {
  const account = await rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Purse', bankName });
  if (balance > 0) await rpc.paymentGateway.receive.mutate(receipt(account, balance));
  return { ...account, balance };
}

export function receipt(to: Pick<VirtualAccount, 'id'>, amount: number): Inputs['paymentGateway']['receive'] {
  return {
    virtualAccountId: to.id,
    amount,
    senderAccountNumber: 'GB-1234',
    senderAccountName: 'Grandmother',
    senderBankName: 'Bank of London',
  };
}

/** Puts more into an account than one payment can, without one: no line of its statement says so. */
export async function fund(db: Kysely<Database>, id: string, amount: number): Promise<void> {
  await atomically(db, async (trx) => {
    const { availableId, outsideId } = await trx
      .selectFrom('virtualAccounts')
      .select(['availableId', 'outsideId'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const entries = [
      { accountId: outsideId, amount: -amount },
      { accountId: availableId, amount },
    ];
    await post(trx, { reference: 'funded', entries });
  });
}

type Target = Pick<VirtualAccount, 'accountNumber' | 'bankName'>;

/** An account of no bank of ours. */
export const elsewhere = (accountNumber = 'FR-9876'): Target => ({ accountNumber, bankName: 'Banque' });

export function payment(
  from: Pick<VirtualAccount, 'id'>,
  to: Target,
  amount: number,
): Inputs['paymentGateway']['send'] {
  return {
    virtualAccountId: from.id,
    amount,
    receiverAccountNumber: to.accountNumber,
    receiverAccountName: 'Receiver',
    receiverBankName: to.bankName,
  };
}

/** Sends through REST with a key of its own, as the console does. */
export function send(
  person: Pick<Person, 'rest'>,
  body: object,
  key: string = randomUUID(),
): Promise<Answer> {
  return person.rest(`POST ${GATEWAY}/transactions/send`, { body, headers: { 'idempotency-key': key } });
}

/** How many answers had each status. */
export function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Waits until a payment is neither pending nor processing, and gives it. */
export function settled({ rpc }: Caller, id: string): Promise<GatewayTransaction> {
  const find = async () => {
    const found = (await rpc.paymentGateway.transactions.query()).find((one) => one.id === id);
    if (!found?.settledAt) throw new Error('The payment is still on its way.');
    return found;
  };
  return vi.waitFor(find, { timeout: 60_000 });
}
