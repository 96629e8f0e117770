import { type GatewayTransaction, type NewSend, NO_SUCH_ACCOUNT } from '@nephos/contracts';
import { type Earlier, type RequestKey, replayed } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound, type Refusal, refusedAgain, unprocessable } from '../../core/errors.ts';
import { keyReused } from '../../platform/idempotency.ts';
import { accountClosed } from './accounts.ts';
import {
  gatewaySend,
  retryAfterRace,
  type Send,
  type SendOutcome,
  type SendRefusal,
} from './gateway-send.ts';
import type { GatewayParts } from './payment-gateway.ts';
import { newReference, type PaymentRow } from './payments.ts';
import { overLimit } from './receive.ts';

type Input = z.output<typeof NewSend>;
type SendParts = Pick<GatewayParts, 'sends' | 'settlement'>;

const refusals: Record<Exclude<SendRefusal, 'OUTSIDE'>, () => Refusal> = {
  NOT_FOUND: notFound,
  ACCOUNT_CLOSED: accountClosed,
  SAME_ACCOUNT: () => unprocessable('SAME_ACCOUNT', 'The sending and receiving accounts are the same.'),
  // What a bank says of a number that it does not know: whose it was is nobody's business.
  NO_SUCH_ACCOUNT: () => unprocessable('NO_SUCH_ACCOUNT', NO_SUCH_ACCOUNT),
  INSUFFICIENT_FUNDS: () => unprocessable('INSUFFICIENT_FUNDS', 'Insufficient funds.'),
  LIMIT: overLimit,
  IDEMPOTENCY_KEY_REUSED: keyReused,
};

/**
 * Sends money: to an account of this bank it is there at once, to another it is held until the rail settled it. With
 * an `Idempotency-Key` a send happens once, however late it is repeated. Throws 404 and 409 ACCOUNT_CLOSED for the sending
 * account, and 422 SAME_ACCOUNT, NO_SUCH_ACCOUNT (one of ours that was closed), INSUFFICIENT_FUNDS and LIMIT.
 */
export async function send(
  ctx: UserContext,
  parts: SendParts,
  input: Input,
  key: RequestKey | undefined,
): Promise<GatewayTransaction | Earlier<GatewayTransaction>> {
  const intended = sendOf(ctx, input, key);
  const outcome = await retryAfterRace(() => make(ctx, parts, intended));
  if (outcome.refusal === null) {
    return outcome.replayed ? replayed(firstAnswer(outcome)) : firstAnswer(outcome);
  }
  if (outcome.refusal === 'OUTSIDE') throw new Error('A send was neither within this bank nor outside.');
  const refusal = refusals[outcome.refusal]();
  throw outcome.replayed ? refusedAgain(refusal) : refusal;
}

function sendOf({ ownerId, audit }: UserContext, input: Input, key: RequestKey | undefined): Send {
  return {
    owner_id: ownerId,
    account_id: input.virtualAccountId,
    amount: input.amount,
    number: input.receiverAccountNumber,
    name: input.receiverAccountName,
    bank: input.receiverBankName,
    description: input.description,
    reference: newReference(),
    key: key?.value ?? null,
    fingerprint: key?.fingerprint ?? null,
    outside: false,
    audit: audit.hand(),
  };
}

async function make(ctx: UserContext, parts: SendParts, intended: Send): Promise<SendOutcome> {
  const within = await parts.sends.add(intended);
  return within.refusal === 'OUTSIDE' ? sendOutside(ctx, parts, intended) : within;
}

/** The rail's work is queued in the transaction that holds the money. */
function sendOutside({ db }: UserContext, { settlement }: SendParts, intended: Send): Promise<SendOutcome> {
  return atomically(db, async (trx) => {
    const [outcome] = await gatewaySend(trx, [{ ...intended, outside: true }]);
    if (!outcome) throw new Error('A send had no outcome.');
    if (outcome.refusal === null && outcome.outside && !outcome.replayed) {
      await settlement.begin(trx, outcome.id);
    }
    return outcome;
  });
}

/** What a send was when it was made: a repetition gets the first answer, whatever came of the payment since. */
function firstAnswer(payment: PaymentRow): GatewayTransaction {
  return payment.outside ? { ...payment, status: 'pending', failure: '', settledAt: null } : payment;
}
