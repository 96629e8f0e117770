import type { GatewayTransaction, NewSend } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { notFound, type Refusal, unprocessable } from '../../errors.ts';
import { fingerprintOf, keyReused, markReplayed } from '../../http/idempotency.ts';
import {
  againAfterRace,
  gatewaySend,
  type Send,
  type SendOutcome,
  type SendRefusal,
} from './gateway-send.ts';
import { newReference, type PaymentRow } from './payments.ts';
import { overLimit } from './receive.ts';

type Input = z.output<typeof NewSend>;

const refusals: Record<Exclude<SendRefusal, 'OUTSIDE'>, () => Refusal> = {
  NOT_FOUND: notFound,
  SAME_ACCOUNT: () => unprocessable('SAME_ACCOUNT', 'Choose another account: this is the one that sends.'),
  INSUFFICIENT_FUNDS: () => unprocessable('INSUFFICIENT_FUNDS', 'Insufficient funds.'),
  LIMIT: overLimit,
  IDEMPOTENCY_KEY_REUSED: keyReused,
};

/**
 * Sends money: to an account of this bank it is there at once, to another it is held until the rail settled it. With
 * an `Idempotency-Key` a send happens once, however late it is repeated. Throws 404 for the sending account, and 422
 * SAME_ACCOUNT, INSUFFICIENT_FUNDS and LIMIT.
 */
export async function send(ctx: UserContext, input: Input): Promise<GatewayTransaction> {
  const intended = sendOf(ctx, input);
  const outcome = await againAfterRace(() => make(ctx, intended));
  if (outcome.replayed) markReplayed(ctx);
  if (outcome.refusal === null) return firstAnswer(outcome);
  if (outcome.refusal === 'OUTSIDE') throw new Error('A send was neither within this bank nor outside.');
  throw refusals[outcome.refusal]();
}

function sendOf(ctx: UserContext, input: Input): Send {
  const key = ctx.idempotencyKey ?? null;
  return {
    owner_id: ctx.user.id,
    account_id: input.virtualAccountId,
    amount: input.amount,
    number: input.receiverAccountNumber,
    name: input.receiverAccountName,
    bank: input.receiverBankName,
    description: input.description,
    reference: newReference(),
    key,
    fingerprint: key && fingerprintOf(ctx, input),
    outside: false,
  };
}

async function make(ctx: UserContext, intended: Send): Promise<SendOutcome> {
  const within = await ctx.gateway.sends.add(intended);
  return within.refusal === 'OUTSIDE' ? sendOutside(ctx, intended) : within;
}

/** The rail's work is queued in the transaction that holds the money. */
function sendOutside({ db, gateway }: UserContext, intended: Send): Promise<SendOutcome> {
  return atomically(db, async (trx) => {
    const [outcome] = await gatewaySend(trx, [{ ...intended, outside: true }]);
    if (!outcome) throw new Error('A send had no outcome.');
    if (outcome.refusal === null && outcome.outside && !outcome.replayed) {
      await gateway.settlement.begin(trx, outcome.id);
    }
    return outcome;
  });
}

/** What a send was when it was made: a repetition gets the first answer, whatever came of the payment since. */
function firstAnswer(payment: PaymentRow): GatewayTransaction {
  return payment.outside ? { ...payment, status: 'pending', failure: '', settledAt: null } : payment;
}
