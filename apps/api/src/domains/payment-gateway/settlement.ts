import type { GatewayTransaction } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { type Funds, post } from '../ledger/ledger.ts';
import { findPayment, type PaymentRow } from './payments.ts';
import type { Outcome, Rail } from './rail.ts';

/** Brings sends to other banks to their end, in the background. */
export interface Settlement {
  /** Hands a pending send to the rail once `trx` commits and the time to cancel it is over. */
  begin(trx: Kysely<Database>, id: string): Promise<void>;
  /** Puts right what nothing works on any more. */
  sweep(): Promise<void>;
}

interface SettlementDeps {
  db: Kysely<Database>;
  jobs: Jobs;
  rail: Rail;
}

const AT_ONCE = 8;
const EXPIRES = 60;
/** They last for weeks: held money must come to its end, however long the rail is away. */
const RETRIES = 10_000;
const LONGEST_PAUSE = 5 * 60;

/** Defines the queue; the jobs begin with `jobs.start()`. */
export function createSettlement({ db, jobs, rail }: SettlementDeps): Settlement {
  const queue = jobs.queue<{ id: string }>(
    'settlement',
    { concurrency: AT_ONCE, expireInSeconds: EXPIRES, retryLimit: RETRIES, longestPause: LONGEST_PAUSE },
    ({ id }, signal) => settle({ db, rail }, id, signal),
  );
  return {
    begin: (trx, id) => queue.enqueue(trx, { id }, { after: rail.pickUpAfter }),
    async sweep() {
      // The rows first: what is enqueued after that has its job by the time the jobs are read.
      const underWay = await db
        .selectFrom('gatewayPayments')
        .select('id')
        .where('status', 'in', ['pending', 'processing'])
        .execute();
      if (underWay.length === 0) return;
      const worked = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const { id } of underWay) if (!worked.has(id)) await queue.enqueue(db, { id });
    },
  };
}

/** Brings one send to its end, if it has not come there. A send that a process died in is submitted once more. */
export async function settle(
  { db, rail }: Pick<SettlementDeps, 'db' | 'rail'>,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const payment = await pickUp(db, id);
  if (payment) await conclude(db, payment, await rail.submit(payment, signal));
}

/** Makes a payment one that cannot be cancelled any more. Undefined for one that is not to be settled. */
async function pickUp(db: Kysely<Database>, id: string): Promise<PaymentRow | undefined> {
  const pickedUp = await db
    .updateTable('gatewayPayments')
    .set({ status: 'processing' })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (pickedUp) return pickedUp;
  // A process that picked it up died.
  return db
    .selectFrom('gatewayPayments')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .executeTakeFirst();
}

/** Ends a send that is `from`, once: whoever comes second changes nothing. */
async function end(
  trx: Kysely<Database>,
  id: string,
  { from, to, failure = '' }: { from: PaymentRow['status']; to: PaymentRow['status']; failure?: string },
): Promise<PaymentRow | undefined> {
  return trx
    .updateTable('gatewayPayments')
    .set({ status: to, failure, settledAt: sql<string>`now()` })
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();
}

async function conclude(db: Kysely<Database>, { id }: PaymentRow, outcome: Outcome): Promise<void> {
  await atomically(db, async (trx) => {
    const failure = outcome.status === 'failed' ? outcome.failure : '';
    const payment = await end(trx, id, { from: 'processing', to: outcome.status, failure });
    if (!payment) return;
    if (outcome.status === 'failed') await giveBack(trx, payment);
    else await payOut(trx, payment);
  });
}

async function payOut(trx: Kysely<Database>, { virtualAccountId, reference, amount }: PaymentRow) {
  const { heldId, outsideId } = await fundsOf(trx, virtualAccountId);
  const entries = [
    { accountId: heldId, amount: -amount },
    { accountId: outsideId, amount },
  ];
  await post(trx, { reference, entries });
}

async function giveBack(trx: Kysely<Database>, payment: PaymentRow): Promise<void> {
  const { id: paymentId, virtualAccountId, reference, amount, holdId } = payment;
  const { availableId, heldId } = await fundsOf(trx, virtualAccountId);
  const entries = [
    { accountId: heldId, amount: -amount },
    { accountId: availableId, amount, line: { kind: 'returned', paymentId } as const },
  ];
  await post(trx, { reference, reverses: holdId, entries });
}

function fundsOf(trx: Kysely<Database>, virtualAccountId: string): Promise<Funds> {
  return trx
    .selectFrom('virtualAccounts')
    .select(['availableId', 'heldId', 'outsideId'])
    .where('id', '=', virtualAccountId)
    .executeTakeFirstOrThrow();
}

/** Returns the money of a send that the rail has not picked up yet. Throws 404, and 409 NOT_PENDING. */
export function cancelPayment({ db, ownerId }: UserContext, id: string): Promise<GatewayTransaction> {
  return atomically(db, async (trx) => {
    await findPayment(trx, ownerId, id);
    const payment = await end(trx, id, { from: 'pending', to: 'cancelled' });
    if (!payment) throw conflict('NOT_PENDING', 'Only pending payments can be cancelled.');
    await giveBack(trx, payment);
    return findPayment(trx, ownerId, id);
  });
}
