import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { recoverAlerts } from '../alerts/raise-alert.ts';
import type { DnsParts } from './dns.ts';
import { proofOf } from './ownership.ts';
import { nameServersOf } from './server/name-servers.ts';
import { tellLoss } from './zone-loss.ts';
import type { ZoneRow } from './zones.ts';

export type ProofParts = Pick<DnsParts, 'settings' | 'secrets' | 'lookUpProof' | 'lookUpNs'>;

type Claimed = Pick<ZoneRow, 'ownerId' | 'domain'>;

/** Minutes to the next look at a zone whose proof was seen, was not, and that could not be looked at. */
const [WEEK, DAY, HOUR] = [7 * 24 * 60, 24 * 60, 60];
/** Looks in a row that find nothing, after which a proof is held to be gone: of three days, since records are moved and names forgotten. */
const PATIENCE = 3;
const WHAT_TO_DO =
  'Neither its TXT record nor this server is found. It is served on, until somebody else proves that it is theirs.';
/** Zones of one run, and of these at once: each takes seconds. */
const BATCH = 200;
const AT_ONCE = 8;

/**
 * Whether a zone that was proven is so still: by its TXT record, or because the internet asks our name servers for it, which
 * nobody but who controls the domain has it do. Undefined where that cannot be told. Asks the internet, so no transaction
 * may be open.
 */
export async function isStillProven(
  parts: ProofParts,
  { ownerId, domain }: Claimed,
): Promise<boolean | undefined> {
  const { name, value } = proofOf(parts, ownerId, domain);
  const [texts, servers] = await Promise.all([parts.lookUpProof(name), parts.lookUpNs(domain)]);
  const own = nameServersOf(parts.settings).map((server) => server.toLowerCase());
  if (texts?.includes(value) || servers?.some((server) => own.includes(server.toLowerCase()))) return true;
  return texts === undefined || servers === undefined ? undefined : false;
}

/** Looks for the proofs of active zones that are due, the longest overdue first. */
export async function lookAtProofs(db: Kysely<Database>, parts: ProofParts, log: Logger): Promise<void> {
  if (!parts.settings.dnsVerifyOwnership) return;
  const due = await db
    .selectFrom('dnsZones')
    .select(['id', 'ownerId', 'domain'])
    .where('verifiedAt', 'is not', null)
    .where('proofDueAt', '<=', sql<string>`now()`)
    .orderBy('proofDueAt')
    .limit(BATCH)
    .execute();
  const waiting = due.values();
  const work = async () => {
    for (const zone of waiting) {
      try {
        await noteProof(db, zone, await isStillProven(parts, zone));
      } catch (error) {
        log.error({ err: error, domain: zone.domain }, 'the proof of a domain could not be looked for');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Writes down what was seen. Nothing is taken away: a zone without a proof is served on, until somebody else has one. */
async function noteProof(
  db: Kysely<Database>,
  zone: Pick<ZoneRow, 'id' | 'ownerId' | 'domain'>,
  isProven: boolean | undefined,
): Promise<void> {
  const { id, ownerId } = zone;
  const pause = isProven === undefined ? HOUR : isProven ? WEEK : DAY;
  await atomically(db, async (trx) => {
    const noted = await trx
      .updateTable('dnsZones')
      .set({
        proofDueAt: sql<string>`now() + ${pause} * interval '1 minute'`,
        ...(isProven && { proofFailures: 0, unprovenSince: null }),
        ...(isProven === false && {
          proofFailures: sql<number>`proof_failures + 1`,
          unprovenSince: sql<string>`case when proof_failures + 1 >= ${PATIENCE} then coalesce(unproven_since, now()) end`,
        }),
      })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .returning('unprovenSince')
      .executeTakeFirst();
    if (isProven) await recoverAlerts(trx, { ownerId, kinds: ['domain-lost'], subjectId: id });
    if (noted?.unprovenSince) await tellLoss(trx, zone, 'proof', WHAT_TO_DO);
  });
}
