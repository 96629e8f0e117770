import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { activeOrders } from './active-orders.ts';
import { AuthorityProblem } from './authority-problem.ts';
import type { AskRenewalInfo, RenewalInfo } from './renewal-info.ts';

/** The certificate of an order that there is now, as far as it is the authority's: PEM, its own first. */
export const currentChain = sql<string | null>`coalesce(
  (select chain from domain_certificates
    where domain_certificates.domain_id = certificate_orders.domain_id and managed),
  (select chain from own_certificates
    where own_certificates.name = certificate_orders.name and certificate_orders.domain_id is null)
)`;

/** The same, as far as it is of the authority with this directory. */
export function chainOf(directory: string) {
  return sql<string | null>`case when certificate_orders.directory = ${directory} then ${currentChain} end`;
}

interface FollowParts {
  db: Kysely<Database>;
  /** Throws `AuthorityProblem`. */
  open(): Promise<AskRenewalInfo | undefined>;
  log: Logger;
  /** The server's, that are to have certificates. */
  ownNames: readonly string[];
}

interface Followed {
  id: string;
  dueAt: string;
  chain: string | null;
}

/** Certificates of one run. */
const BATCH = 50;
/** Seconds between two questions where the authority does not say, and the bounds of what it says. */
const PAUSE = 6 * 60 * 60;
const [SHORTEST, LONGEST] = [60, 24 * 60 * 60];
/** Seconds to the next question where it could not be asked. */
const AFTER_FAILURE = 60 * 60;

/** Asks the authority about the certificates that it was not asked about for long, and renews them when it wants that. */
export async function followRenewals({ db, open, log, ownNames }: FollowParts): Promise<void> {
  const due = await activeOrders(db, ownNames)
    .select(['certificateOrders.id', 'dueAt', currentChain.as('chain')])
    .where('infoDueAt', '<=', sql<string>`now()`)
    .where('certificateOrders.failures', '=', 0)
    .where(currentChain, 'is not', null)
    .orderBy('infoDueAt')
    .limit(BATCH)
    .execute();
  if (due.length === 0) return;
  let ask: AskRenewalInfo | undefined;
  try {
    ask = await open();
  } catch (error) {
    log.warn({ err: error }, 'the certificate authority cannot be asked when to renew');
    return putOff(db, due, AFTER_FAILURE);
  }
  for (const order of due) {
    try {
      await follow(db, order, await ask?.(order.chain ?? ''));
    } catch (error) {
      log.warn({ err: error }, 'the certificate authority does not tell when to renew');
      await putOff(db, [order], AFTER_FAILURE);
      // The others have their turn in a minute.
      if (!isAboutOne(error)) return;
    }
  }
}

/** Whether the authority refuses to tell of one certificate, such as of one that it does not know. */
function isAboutOne(error: unknown): boolean {
  return error instanceof AuthorityProblem && [400, 404, 410].includes(error.status);
}

/** Any moment of the window, so that not everybody comes at once; the same as before while it lies there. */
async function follow(db: Kysely<Database>, order: Followed, info: RenewalInfo | undefined): Promise<void> {
  const pause = info?.retryAfter ? Math.min(Math.max(info.retryAfter, SHORTEST), LONGEST) : PAUSE;
  await putOff(db, [order], pause);
  if (!info) return;
  const [start, end] = info.window;
  const now = Date.parse(order.dueAt);
  if (now >= start && now <= end) return;
  await db
    .updateTable('certificateOrders')
    .set({ dueAt: new Date(start + Math.random() * (end - start)).toISOString() })
    .where('id', '=', order.id)
    .where('dueAt', '=', order.dueAt)
    .execute();
}

async function putOff(db: Kysely<Database>, orders: readonly Followed[], seconds: number): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({ infoDueAt: sql<string>`now() + ${seconds} * interval '1 second'` })
    .where(
      'id',
      'in',
      orders.map(({ id }) => id),
    )
    .execute();
}
