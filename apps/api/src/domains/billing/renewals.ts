import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Jobs } from '../../platform/jobs.ts';
import { activate } from './activate.ts';
import { oneByOne } from './one-by-one.ts';
import { IS_DUE, type RenewalDeps, renew } from './renewal.ts';

export interface RenewalsDeps extends RenewalDeps {
  jobs: Jobs;
  log: Logger;
}

/** Charges subscriptions when they are due, in the background. */
export interface Renewals {
  /** Queues what is due by now, or before the next hour. */
  enqueueDue(): Promise<void>;
  /** Makes subscriptions of payments that succeeded, and of which nobody told us. */
  claim(): Promise<void>;
}

const AT_ONCE = 2;
const EXPIRES = 90;
const RETRIES = 5;
const LONGEST_PAUSE = 5 * 60;
/** Subscriptions, or payments, that one run looks after. */
const AT_MOST = 1000;

/** Defines the queue; its jobs begin with `jobs.start()`. */
export function createRenewals(deps: RenewalsDeps): Renewals {
  const { db, jobs } = deps;
  const queue = jobs.queue<{ id: string }>(
    'renewal',
    { concurrency: AT_ONCE, expireInSeconds: EXPIRES, retryLimit: RETRIES, longestPause: LONGEST_PAUSE },
    ({ id }) => renew(deps, id),
  );
  return {
    async enqueueDue() {
      const due = await readDue(db);
      if (due.length === 0) return;
      const queued = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const id of due) if (!queued.has(id)) await queue.enqueue(db, { id });
    },
    claim: () => claim(deps),
  };
}

/** The subscriptions whose charge is due, or begun, or that end; oldest first. */
async function readDue(db: Kysely<Database>): Promise<string[]> {
  const due = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('status', '<>', 'cancelled')
    .where(IS_DUE)
    .orderBy(sql`coalesce(next_attempt, renewal_date)`)
    .limit(AT_MOST)
    .execute();
  return due.map(({ id }) => id);
}

/** A browser may be closed between the payment and the subscription, and an event may be lost. */
async function claim({ db, provider, log }: RenewalsDeps): Promise<void> {
  const unclaimed = await db
    .selectFrom('paymentIntents')
    .select(['id', 'userId'])
    .where('subscriptionId', 'is', null)
    .where('provider', '=', provider.info.name)
    .where('createdAt', '>', sql<string>`now() - interval '3 days'`)
    // The browser is given time to do it.
    .where('createdAt', '<', sql<string>`now() - interval '10 minutes'`)
    // The newest first: however many people leave unpaid, each payment is looked at while it is new.
    .orderBy('createdAt', 'desc')
    .limit(AT_MOST)
    .execute();
  const failure = 'a payment was not made a subscription';
  await oneByOne(unclaimed, { log, failure }, async (payment) => {
    const intent = await provider.readIntent(payment.id);
    if (intent?.status !== 'succeeded') return;
    await atomically(db, (trx) => activate(trx, payment, { intent, provider }));
  });
}
