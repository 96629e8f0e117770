import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { Refusal } from '../../errors.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { activate } from './activate.ts';
import type { PaymentProvider } from './provider.ts';
import { IS_DUE, renew } from './renewal.ts';

export interface RenewalsDeps {
  db: Kysely<Database>;
  jobs: Jobs;
  provider: PaymentProvider;
  log: Logger;
}

/** Charges subscriptions when they are due, in the background. */
export interface Renewals {
  /** Queues what is due by now, or before the next hour. */
  enqueueDue(): Promise<void>;
  /** Makes subscriptions of payments that succeeded, and of which nobody told us. */
  claim(): Promise<void>;
}

/** A few minutes past the hour: the sweeps are at the hour. */
const HOURLY = '7 * * * *';
const AT_ONCE = 2;
const EXPIRES = 90;
const RETRIES = 5;
const LONGEST_PAUSE = 5 * 60;
/** Subscriptions, or payments, that one run takes on. */
const AT_MOST = 1000;

/** Defines the queue and its schedule; the jobs begin with `jobs.start()`. */
export function createRenewals(deps: RenewalsDeps): Renewals {
  const { db, jobs } = deps;
  const queue = jobs.queue<{ id: string }>(
    'renewal',
    { concurrency: AT_ONCE, expireInSeconds: EXPIRES, retryLimit: RETRIES, longestPause: LONGEST_PAUSE },
    ({ id }) => renew(deps, id),
  );
  const renewals: Renewals = {
    async enqueueDue() {
      const due = await readDue(db);
      if (due.length === 0) return;
      const queued = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const id of due) if (!queued.has(id)) await queue.enqueue(db, { id });
    },
    claim: () => claim(deps),
  };
  jobs.schedule('renewals', HOURLY, async () => {
    await renewals.enqueueDue();
    await renewals.claim();
  });
  return renewals;
}

/** Those of which the charge is due, or begun, or that end; oldest first. */
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
    .where('createdAt', '>', sql<string>`now() - interval '1 day'`)
    // The browser is given time to do it.
    .where('createdAt', '<', sql<string>`now() - interval '10 minutes'`)
    // However many are begun and left, each is looked at in the hour in which it is new.
    .orderBy('createdAt', 'desc')
    .limit(AT_MOST)
    .execute();
  for (const { id, userId } of unclaimed) {
    const intent = await provider.readIntent(id);
    if (intent?.status === 'succeeded') await tryToActivate({ db, provider, log }, { id, userId }, intent);
  }
}

type Activation = Parameters<typeof activate>;

/** One payment that does not fit is no reason to leave the others. */
async function tryToActivate(
  { db, provider, log }: Pick<RenewalsDeps, 'db' | 'provider' | 'log'>,
  requested: Activation[1],
  intent: Activation[2]['intent'],
): Promise<void> {
  try {
    await db.transaction().execute((trx) => activate(trx, requested, { intent, provider }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.warn({ intent: requested.id, reason: error.reason }, 'a payment was not made a subscription');
  }
}
