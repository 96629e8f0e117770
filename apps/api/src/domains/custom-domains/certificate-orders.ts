import { X509Certificate } from 'node:crypto';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../core/errors.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import type { Queue } from '../../platform/jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import { waitFor } from '../certificates/attempts.ts';
import { AuthorityProblem } from '../certificates/authority-problem.ts';
import type { Certificates } from '../certificates/certificates.ts';
import type { Issued } from '../certificates/order-certificate.ts';
import { keyContext } from './key-context.ts';
import { type DomainRow, lockClaim } from './proof.ts';
import { type ReadCertificate, readCertificate } from './read-certificate.ts';

interface OfDomain {
  domainId: string;
  ownerId: string;
}

/** One try at a domain's certificate: it is given up where the order was changed since. */
interface OrderJob extends OfDomain {
  dueAt: string;
}

/** Certificates that active domains get from the authority, and have renewed there. */
export interface CertificateOrders {
  /** Has a domain get one soon, in the transaction that made it active, unless it has one or is getting it. */
  want(trx: Kysely<Database>, row: Pick<DomainRow, 'id' | 'ownerId'>): Promise<void>;
  /** Has a domain's order tried at once; what failed before is forgotten. */
  hurry(trx: Kysely<Database>, row: Pick<DomainRow, 'id' | 'ownerId'>): Promise<void>;
  /** Begins what is due, as each minute does. */
  beginDue(): Promise<void>;
}

type OrderParts = Pick<Platform, 'db' | 'secrets' | 'jobs' | 'log'> & Pick<Certificates, 'order'>;

const EVERY_MINUTE = '* * * * *';
/** Minutes after which a try that was begun and never ended is made again. */
const PATIENCE = 15;
/** Minutes from the first failure to the next try, doubled from each to the next, and the longest. */
const FIRST_PAUSE = 5;
const LAST_DOUBLING = 9;
const LONGEST_PAUSE = 24 * 60;
/** Part of a certificate's life after which it is renewed. */
const RENEWAL = 2 / 3;
/** Orders that a minute begins. */
const BATCH = 50;
/** Seconds. */
const LONGEST_TRY = 10 * 60;
const TRIES_AT_ONCE = 2;

/** Where no authority is set up, `undefined`. */
export function createCertificateOrders(parts: OrderParts): CertificateOrders | undefined {
  const { db, jobs, order } = parts;
  if (!order) return undefined;
  const queue: Queue<OrderJob> = jobs.queue<OrderJob>(
    'domains.certificate',
    { concurrency: TRIES_AT_ONCE, expireInSeconds: LONGEST_TRY, retryLimit: 1, oneAtATimePerGroup: true },
    (job, signal) => tryOrder({ ...parts, order }, job, signal),
  );
  const begun = () => beginDue(db, queue);
  jobs.schedule('domains.certificates', EVERY_MINUTE, begun);
  return {
    async want(trx, { id: domainId, ownerId }) {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('certificateOrders')
        .columns(['domainId', 'ownerId'])
        .expression(domainsWithout(trx).where('customDomains.id', '=', domainId))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows) await begin(trx, queue, { domainId, ownerId });
    },
    async hurry(trx, { id: domainId, ownerId }) {
      await trx
        .updateTable('certificateOrders')
        .set({ error: '' })
        .where('ownerId', '=', ownerId)
        .where('domainId', '=', domainId)
        .execute();
      await begin(trx, queue, { domainId, ownerId });
    },
    beginDue: begun,
  };
}

/** Active domains without a certificate, each with its owner. */
function domainsWithout(db: Kysely<Database>) {
  return db
    .selectFrom('customDomains')
    .leftJoin('domainCertificates', 'domainCertificates.domainId', 'customDomains.id')
    .select(['customDomains.id', 'customDomains.ownerId'])
    .where('provenAt', 'is not', null)
    .where('domainCertificates.domainId', 'is', null);
}

/** Begins a try, which keeps others from it for a while. */
async function begin(
  trx: Kysely<Database>,
  queue: Queue<OrderJob>,
  { domainId, ownerId }: OfDomain,
): Promise<void> {
  const { dueAt } = await trx
    .updateTable('certificateOrders')
    .set({ dueAt: sql<string>`now() + ${PATIENCE} * interval '1 minute'` })
    .where('ownerId', '=', ownerId)
    .where('domainId', '=', domainId)
    .returning('dueAt')
    .executeTakeFirstOrThrow();
  await queue.enqueue(trx, { domainId, ownerId, dueAt }, { group: domainId });
}

/** Begins what is due, the longest overdue first, also of domains that were active before there was an authority. */
async function beginDue(db: Kysely<Database>, queue: Queue<OrderJob>): Promise<void> {
  await db
    .insertInto('certificateOrders')
    .columns(['domainId', 'ownerId'])
    .expression(domainsWithout(db))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await atomically(db, async (trx) => {
    const due = await trx
      .selectFrom('certificateOrders')
      .innerJoin('customDomains', 'customDomains.id', 'certificateOrders.domainId')
      .select(['domainId', 'certificateOrders.ownerId'])
      .where('provenAt', 'is not', null)
      .where('dueAt', '<=', sql<string>`now()`)
      .orderBy('dueAt')
      .limit(BATCH)
      .forUpdate('certificateOrders')
      .skipLocked()
      .execute();
    for (const order of due) await begin(trx, queue, order);
  });
}

type TryParts = Pick<OrderParts, 'db' | 'secrets' | 'log'> & { order: NonNullable<Certificates['order']> };

async function tryOrder(parts: TryParts, job: OrderJob, signal: AbortSignal): Promise<void> {
  const { db, log, order } = parts;
  const row = await domainOf(db, job);
  if (!row) return;
  const { ownerId, domain } = row;
  const until = await waitFor(db, { ownerId, name: domain });
  if (until !== null) return postpone(db, job, until);
  try {
    const issued = await order({ ownerId, name: domain }, signal);
    await take(parts, row, issued);
    log.info({ domain }, 'a certificate was issued');
  } catch (error) {
    // The next server makes the same try.
    if (signal.aborted) throw error;
    const isTheirs = error instanceof AuthorityProblem || error instanceof Refusal;
    log[isTheirs ? 'warn' : 'error']({ err: error, domain }, 'a certificate could not be issued');
    await countFailure(db, job, {
      error: isTheirs ? error.message : 'Something went wrong on this server. Its log tells what.',
      retryAfter: error instanceof AuthorityProblem ? error.retryAfter : 0,
    });
  }
}

/** The domain of a try; undefined where it is no longer to be made. */
async function domainOf(
  db: Kysely<Database>,
  { domainId, ownerId, dueAt }: OrderJob,
): Promise<DomainRow | undefined> {
  return db
    .selectFrom('customDomains')
    .innerJoin('certificateOrders', 'certificateOrders.domainId', 'customDomains.id')
    .selectAll('customDomains')
    .where('customDomains.ownerId', '=', ownerId)
    .where('customDomains.id', '=', domainId)
    .where('provenAt', 'is not', null)
    .where('dueAt', '=', dueAt)
    .executeTakeFirst();
}

/** Puts a certificate in the place of the former one, unless the owner gave that, or lost the domain meanwhile. */
async function take({ db, secrets }: TryParts, claim: DomainRow, issued: Issued): Promise<void> {
  await atomically(db, async (trx) => {
    const row = await lockClaim(trx, claim);
    if (!row?.provenAt) return;
    const { id: domainId, ownerId, domain } = row;
    const { key, ...certificate } = readCertificate({ domain, ...issued }, await databaseNow(trx));
    const stored = { ...certificate, sealedKey: secrets.seal(key, keyContext(domainId)) };
    await trx
      .insertInto('domainCertificates')
      .values({ domainId, ownerId, ...stored, managed: true })
      .onConflict((conflict) =>
        conflict
          .column('domainId')
          .doUpdateSet({ ...stored, updatedAt: sql<string>`now()` })
          .where('domainCertificates.managed', '=', true),
      )
      .execute();
    await trx
      .updateTable('certificateOrders')
      .set({ failures: 0, error: '', dueAt: renewalOf(certificate) })
      .where('ownerId', '=', ownerId)
      .where('domainId', '=', domainId)
      .execute();
  });
}

function renewalOf({ chain }: Pick<ReadCertificate, 'chain'>): string {
  const { validFrom, validTo } = new X509Certificate(chain);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return new Date(from + (to - from) * RENEWAL).toISOString();
}

/** Leaves an order that was not tried until then. */
async function postpone(
  db: Kysely<Database>,
  { domainId, ownerId, dueAt }: OrderJob,
  until: string,
): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({ dueAt: until, error: 'Too many certificates were requested. This one is requested later.' })
    .where('ownerId', '=', ownerId)
    .where('domainId', '=', domainId)
    .where('dueAt', '=', dueAt)
    .execute();
}

async function countFailure(
  db: Kysely<Database>,
  { domainId, ownerId }: OfDomain,
  { error, retryAfter }: { error: string; retryAfter: number },
): Promise<void> {
  const pause = sql`least(${FIRST_PAUSE} * 2 ^ least(failures, ${LAST_DOUBLING}), ${LONGEST_PAUSE})`;
  await db
    .updateTable('certificateOrders')
    .set({
      error,
      failures: sql<number>`failures + 1`,
      dueAt: sql<string>`now() + greatest(${pause} * interval '1 minute', ${retryAfter} * interval '1 second')`,
    })
    .where('ownerId', '=', ownerId)
    .where('domainId', '=', domainId)
    .execute();
}
