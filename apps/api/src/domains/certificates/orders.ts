import { X509Certificate } from 'node:crypto';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../core/errors.ts';
import { recordOwnWork } from '../../platform/audit.ts';
import { pageOfDomain } from '../../platform/domain-page.ts';
import type { Queue } from '../../platform/jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import { activeOrders } from './active-orders.ts';
import { type Wait, waitFor } from './attempts.ts';
import { AuthorityProblem } from './authority-problem.ts';
import { chainOf, currentChain, followRenewals } from './follow-renewals.ts';
import { forgetFailure, type Ordered } from './forget-failure.ts';
import { holdOthers } from './holds.ts';
import type { Issued, Renewed } from './order-certificate.ts';
import { keepOwnCertificate } from './own-certificates.ts';
import { readOwnNames } from './own-names.ts';
import type { AskRenewalInfo } from './renewal-info.ts';

/** A domain of somebody's, whose certificate the authority is to issue. */
export interface OwnedDomain {
  /** The domain's. */
  id: string;
  ownerId: string;
  domain: string;
}

/** Certificates that names get from the authority, and have renewed there. */
export interface CertificateOrders {
  /**
   * Has a domain get one soon, in the transaction that made it active, unless it has one or is getting it. What failed is
   * tried again soon where the name leads here only now.
   */
  want(
    trx: Kysely<Database>,
    domain: Pick<OwnedDomain, 'id' | 'ownerId'>,
    leadsHereNow?: boolean,
  ): Promise<void>;
  /**
   * Has what failed tried at once. Throws 409 where nothing failed, and 429 where the authority was asked too
   * often or said how long to wait.
   */
  tryAgain(trx: Kysely<Database>, of: Ordered): Promise<void>;
  /** Has what failed for the server's own names tried soon: whoever mended what was wrong restarts the server. */
  retryOwn(): Promise<void>;
  /** Begins what is due, as each minute does. */
  beginDue(): Promise<void>;
  /** Asks the authority when it wants renewals, as each minute does for some. */
  followRenewals(): Promise<void>;
}

/**
 * Puts a certificate in the place of a domain's former one, and returns the chain; undefined where the domain takes it no
 * longer.
 */
export type KeepCertificate = (
  trx: Kysely<Database>,
  parts: Pick<Platform, 'secrets'>,
  domain: OwnedDomain,
  issued: Issued,
) => Promise<string | undefined>;

export interface OrdersParts extends Pick<Platform, 'settings' | 'db' | 'secrets' | 'jobs' | 'log'> {
  order(wanted: Renewed, signal: AbortSignal): Promise<Issued>;
  /** URL of the authority's. */
  directory: string;
  openRenewalInfo(): Promise<AskRenewalInfo | undefined>;
  keep: KeepCertificate;
}

/** One try at a certificate: it is given up where the order was changed since. */
interface OrderJob {
  id: string;
  dueAt: string;
}

interface Order extends Renewed {
  id: string;
  domainId: string | null;
  /** Whether there is a certificate, of any authority. */
  hasOne: boolean;
}

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

/** Orders are rows, and a try of one is a job of its group, so that no two replicas ask for the same. */
export function createOrders(parts: OrdersParts): CertificateOrders {
  const { db, jobs, log, openRenewalInfo: open } = parts;
  const queue: Queue<OrderJob> = jobs.queue<OrderJob>(
    'certificates.order',
    { concurrency: TRIES_AT_ONCE, expireInSeconds: LONGEST_TRY, retryLimit: 1, oneAtATimePerGroup: true },
    (job, signal) => tryOrder(parts, job, signal),
  );
  const begun = () => beginDue(parts, queue);
  const followed = async () => followRenewals({ db, open, log, ownNames: await ownNamesOf(parts) });
  jobs.schedule('certificates.due', EVERY_MINUTE, begun);
  jobs.schedule('certificates.renewals', EVERY_MINUTE, followed);
  return {
    async want(trx, { id: domainId, ownerId }, leadsHereNow = false) {
      const made = await trx
        .insertInto('certificateOrders')
        .columns(['name', 'domainId', 'ownerId'])
        .expression(
          domainsWithout(trx)
            .where('customDomains.ownerId', '=', ownerId)
            .where('customDomains.id', '=', domainId),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made) await begin(trx, queue, made.id);
      else if (leadsHereNow)
        await expediteFailed(trx).where('domainId', '=', domainId).where('ownerId', '=', ownerId).execute();
    },
    async tryAgain(trx, of) {
      await begin(trx, queue, await forgetFailure(trx, parts.directory, of));
    },
    async retryOwn() {
      await expediteFailed(db).where('domainId', 'is', null).execute();
    },
    beginDue: begun,
    followRenewals: followed,
  };
}

/** Active domains without a certificate, each with its owner. */
function domainsWithout(db: Kysely<Database>) {
  return db
    .selectFrom('customDomains')
    .leftJoin('domainCertificates', 'domainCertificates.domainId', 'customDomains.id')
    .select(['domain', 'customDomains.id', 'customDomains.ownerId'])
    .where('provenAt', 'is not', null)
    .where('domainCertificates.domainId', 'is', null);
}

async function ownNamesOf({ db, settings }: Pick<OrdersParts, 'db' | 'settings'>): Promise<string[]> {
  const { console, apps } = await readOwnNames(db, settings);
  return [console, apps].filter((name) => name !== undefined);
}

/** Begins a try, which keeps others from it for a while. */
async function begin(trx: Kysely<Database>, queue: Queue<OrderJob>, id: string): Promise<void> {
  const { dueAt } = await trx
    .updateTable('certificateOrders')
    .set({ dueAt: sql<string>`now() + ${PATIENCE} * interval '1 minute'` })
    .where('id', '=', id)
    .returning('dueAt')
    .executeTakeFirstOrThrow();
  await queue.enqueue(trx, { id, dueAt }, { group: id });
}

/** Begins what is due, the longest overdue first, also of domains that were active before there was an authority. */
async function beginDue(parts: OrdersParts, queue: Queue<OrderJob>): Promise<void> {
  const { db } = parts;
  const ownNames = await ownNamesOf(parts);
  await db
    .insertInto('certificateOrders')
    .columns(['name', 'domainId', 'ownerId'])
    .expression(domainsWithout(db))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (ownNames.length > 0) {
    await db
      .insertInto('certificateOrders')
      .values(ownNames.map((name) => ({ name, domainId: null, ownerId: null })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await leaveFormerAuthority(parts);
  await atomically(db, async (trx) => {
    const due = await activeOrders(trx, ownNames)
      .select('certificateOrders.id')
      .where('dueAt', '<=', sql<string>`now()`)
      .orderBy('dueAt')
      .limit(BATCH)
      .forUpdate('certificateOrders')
      .skipLocked()
      .execute();
    for (const { id } of due) await begin(trx, queue, id);
  });
}

/** Has certificates of another authority than that of the settings, such as one for tests, issued anew. */
async function leaveFormerAuthority({ db, directory }: OrdersParts): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({ directory: null, dueAt: sql<string>`now()` })
    .where('directory', '<>', directory)
    .execute();
}

/** Has what failed tried within a minute, unless the authority asked to wait. */
function expediteFailed(db: Kysely<Database>) {
  return db
    .updateTable('certificateOrders')
    .set({ dueAt: sql<string>`least(due_at, now())` })
    .where('error', '<>', '')
    .where(sql<boolean>`coalesce(held_until <= now(), true)`);
}

async function tryOrder(parts: OrdersParts, job: OrderJob, signal: AbortSignal): Promise<void> {
  const { db, log, directory } = parts;
  const order = await activeOrders(db, await ownNamesOf(parts))
    .select(['certificateOrders.id', 'certificateOrders.ownerId', 'name', 'domainId'])
    .select([sql<boolean>`${currentChain} is not null`.as('hasOne'), chainOf(directory).as('replaced')])
    .where('certificateOrders.id', '=', job.id)
    .where('dueAt', '=', job.dueAt)
    .executeTakeFirst();
  if (!order) return;
  const { name } = order;
  const wait = await waitFor(db, { ...order, directory, renews: order.replaced !== null });
  if (wait !== null) return postpone(db, job, wait);
  try {
    await take(parts, order, await parts.order(order, signal));
    log.info({ name }, 'a certificate was issued');
  } catch (error) {
    // The next server makes the same try.
    if (signal.aborted) throw error;
    const isTheirs = error instanceof AuthorityProblem || error instanceof Refusal;
    log[isTheirs ? 'warn' : 'error']({ err: error, name }, 'a certificate could not be issued');
    if (error instanceof AuthorityProblem) await holdOthers(db, directory, name, error);
    const failure = {
      error: isTheirs ? error.message : 'Something went wrong on this server. Its log tells what.',
      retryAfter: error instanceof AuthorityProblem ? error.retryAfter : 0,
    };
    await atomically(db, async (trx) => {
      await countFailure(trx, order.id, failure);
      await tellFailure(trx, order, failure.error);
    });
  }
}

/** Hands a certificate over to whose it is, and says when it is renewed. */
async function take(parts: OrdersParts, order: Order, issued: Issued): Promise<void> {
  const { id, ownerId, domainId, name } = order;
  await atomically(parts.db, async (trx) => {
    const chain =
      domainId === null || ownerId === null
        ? await keepOwnCertificate(trx, parts, name, issued)
        : await parts.keep(trx, parts, { id: domainId, ownerId, domain: name }, issued);
    if (chain === undefined) return;
    for (const owner of await concernedBy(trx, { ownerId })) {
      await recoverAlerts(trx, { ownerId: owner, kinds: ['certificate-failed'], subjectId: domainId ?? id });
    }
    await trx
      .updateTable('certificateOrders')
      .set({
        failures: 0,
        error: '',
        heldUntil: null,
        directory: parts.directory,
        dueAt: renewalOf(chain),
        infoDueAt: sql<string>`now()`,
      })
      .where('id', '=', id)
      .execute();
    await recordIssue(trx, order, chain);
  });
}

/** The own domain that a certificate is for; undefined for the server's own names. */
function findDomain(trx: Kysely<Database>, domainId: Order['domainId']) {
  return trx
    .selectFrom('customDomains')
    .select(['projectId', 'bucketId'])
    .where('id', '=', domainId)
    .executeTakeFirst();
}

/** Records that a name has a new certificate: of an own domain in its workspace, else with the installation. */
async function recordIssue(
  trx: Kysely<Database>,
  { ownerId, domainId, name, replaced }: Order,
  chain: string,
): Promise<void> {
  const domain = await findDomain(trx, domainId);
  const endsAt = (certificate: string) => new Date(new X509Certificate(certificate).validTo).toISOString();
  await recordOwnWork(trx, {
    ...{ ownerId, procedure: 'certificates.issue' },
    subject: domain
      ? {
          kind: domain.projectId === null ? 'bucket' : 'project',
          id: domain.projectId ?? domain.bucketId,
          name,
        }
      : { kind: 'installation', id: null, name },
    ...(replaced !== null && { before: { endsAt: endsAt(replaced) } }),
    after: { domain: name, endsAt: endsAt(chain) },
  });
}

/** Tells once that a name gets no certificate, until it has one. */
async function tellFailure(
  trx: Kysely<Database>,
  { id, ownerId, domainId, name }: Order,
  error: string,
): Promise<void> {
  const domain = await findDomain(trx, domainId);
  for (const owner of await concernedBy(trx, { ownerId })) {
    await raiseAlert(trx, {
      ...{ ownerId: owner, kind: 'certificate-failed', once: 'failing' },
      subject: { kind: 'domain', id: domainId ?? id, name },
      text: `No certificate was issued for ${name}. ${error}`,
      path: domain ? pageOfDomain(domain) : '/admin',
    });
  }
}

/** Whose matter a name is: its owner's, or of the server's own names the administrators'. */
async function concernedBy(
  trx: Kysely<Database>,
  { ownerId }: Pick<Order, 'ownerId'>,
): Promise<readonly string[]> {
  if (ownerId !== null) return [ownerId];
  const admins = await trx.selectFrom('users').select('id').where('role', '=', 'admin').execute();
  return admins.map(({ id }) => id);
}

function renewalOf(chain: string): string {
  const { validFrom, validTo } = new X509Certificate(chain);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return new Date(from + (to - from) * RENEWAL).toISOString();
}

/** Leaves an order that was not tried until then. */
async function postpone(
  db: Kysely<Database>,
  { id, dueAt }: OrderJob,
  { until, reason }: Wait,
): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({ dueAt: until, error: reason })
    .where('id', '=', id)
    .where('dueAt', '=', dueAt)
    .execute();
}

async function countFailure(
  db: Kysely<Database>,
  id: string,
  { error, retryAfter }: { error: string; retryAfter: number },
): Promise<void> {
  const pause = sql`least(${FIRST_PAUSE} * 2 ^ least(failures, ${LAST_DOUBLING}), ${LONGEST_PAUSE})`;
  const held = sql<string>`now() + ${retryAfter} * interval '1 second'`;
  await db
    .updateTable('certificateOrders')
    .set({
      error,
      failures: sql<number>`failures + 1`,
      heldUntil: retryAfter > 0 ? held : null,
      dueAt: sql<string>`greatest(now() + ${pause} * interval '1 minute', ${held})`,
    })
    .where('id', '=', id)
    .execute();
}
