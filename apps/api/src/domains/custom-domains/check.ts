import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { pageOfDomain } from '../../platform/domain-page.ts';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import type { CertificateOrders } from '../certificates/orders.ts';
import { type LookParts, lookAt, type Seen, SITES_LABEL } from './look.ts';
import { type DomainRow, judge, lockClaim, type ProofParts } from './proof.ts';

/** What judges claims, and has those that hold get a certificate. */
export interface RecordParts extends ProofParts {
  orders: CertificateOrders | undefined;
}

export type CheckParts = LookParts &
  RecordParts & { settings: LookParts['settings'] & RecordParts['settings'] };

/**
 * Minutes between two checks of a domain without a problem, of one that is yet to lead here, and the longest between those
 * of one with a problem.
 */
const WEEK = 7 * 24 * 60;
const ARRIVAL = 15;
const DAY = 24 * 60;
/** Minutes from the first check that found a problem to the next; doubled from each to the next. */
const FIRST_PAUSE = 5;
const LAST_DOUBLING = 9;
/** Checks of one run, and of these at once: each takes three seconds at most. */
const BATCH = 200;
const AT_ONCE = 16;

/**
 * Judges a claim by what was seen, under `lockDomain`, and writes down what came of it. A proof that is gone is told and ends nothing: only
 * somebody else's takes its place.
 */
export async function recordCheck(
  trx: Kysely<Database>,
  parts: RecordParts,
  row: DomainRow,
  seen: Seen,
): Promise<DomainRow> {
  const problem = await judge(trx, parts, row, seen);
  const failures = problem === null ? 0 : row.failures + 1;
  // What could not be asked says nothing new: what was known last holds on.
  const pointsHere = seen.pointsHere ?? row.pointsHere;
  const rest = pointsHere === false ? ARRIVAL : WEEK;
  const pause =
    problem === null ? rest : Math.min(FIRST_PAUSE * 2 ** Math.min(failures - 1, LAST_DOUBLING), DAY);
  const checked = await trx
    .updateTable('customDomains')
    .set({
      problem,
      failures,
      ...(problem === null && { provenAt: sql<string>`coalesce(proven_at, now())` }),
      serverAddresses: [...seen.serverAddresses],
      pointsHere,
      checkedAt: sql<string>`now()`,
      nextCheckAt: sql<string>`now() + ${pause} * interval '1 minute'`,
    })
    .where('ownerId', '=', row.ownerId)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const leadsHereNow = pointsHere === true && row.pointsHere !== true;
  if (problem === null) await parts.orders?.want(trx, checked, leadsHereNow);
  await tellLoss(trx, row, checked);
  return checked;
}

const PROBLEMS: Readonly<Record<NonNullable<DomainRow['problem']>, string>> = {
  missing: 'The TXT record that proves whose it is, is gone.',
  mismatch: 'The TXT record that proves whose it is, has another value.',
  taken: 'Somebody else has proven that it is theirs.',
  unreachable: '',
};

/** Tells once that a domain which led here, or was proven, does or is so no longer, until it is again. */
async function tellLoss(trx: Kysely<Database>, before: DomainRow, now: DomainRow): Promise<void> {
  const { id, ownerId, domain, pointsHere, problem } = now;
  const raise = (once: string, text: string) =>
    raiseAlert(trx, {
      ...{ ownerId, kind: 'domain-lost', text, once },
      subject: { kind: 'domain', id, name: domain },
      path: pageOfDomain(now),
    });
  if (before.pointsHere === true && pointsHere === false) {
    await raise('address', `${domain} no longer leads to this server.`);
  }
  const lost = before.provenAt !== null && before.problem === null && problem !== null && PROBLEMS[problem];
  if (lost) await raise('proof', `${domain} can't be verified any more. ${lost}`);
  if (problem === null && pointsHere !== false) {
    await recoverAlerts(trx, { ownerId, kinds: ['domain-lost'], subjectId: id });
  }
}

/** Checks the domains that are due, the longest overdue first; one that fails is logged and due again with the next run. */
export async function checkDue({
  db,
  log,
  ...parts
}: CheckParts & { db: Kysely<Database>; log: Logger }): Promise<void> {
  const due = await db
    .selectFrom('customDomains')
    .leftJoin('projects', 'projects.id', 'customDomains.projectId')
    .select(['customDomains.id', 'customDomains.ownerId', 'domain'])
    .select(({ fn, val }) => fn.coalesce('slug', val(SITES_LABEL)).as('slug'))
    .where('nextCheckAt', '<=', sql<string>`now()`)
    .orderBy('nextCheckAt')
    .limit(BATCH)
    .execute();
  const waiting = due.values();
  const work = async () => {
    for (const claim of waiting) {
      try {
        const seen = await lookAt(parts, claim);
        await atomically(db, async (trx) => {
          const row = await lockClaim(trx, claim);
          if (row) await recordCheck(trx, parts, row, seen);
        });
      } catch (error) {
        log.error({ err: error, domain: claim.domain }, 'a domain could not be checked');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
