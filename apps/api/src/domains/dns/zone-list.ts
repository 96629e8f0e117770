import type { DnsZone, dns } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { DnsParts } from './dns.ts';
import { proofOf, seeProof } from './ownership.ts';
import { isStillProven } from './zone-proofs.ts';
import { isFirm, proveZone, type ZoneRow } from './zones.ts';

/** A zone has a record at least: it goes with its last one. */
function zonesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('dnsZones as zone')
    .innerJoin('dnsRecords as record', 'record.zoneId', 'zone.id')
    .where('zone.ownerId', '=', ownerId)
    .selectAll('zone')
    .select(({ fn }) => fn.count<number>('record.id').as('recordCount'))
    .groupBy('zone.id');
}

function zoneOf(
  parts: Pick<DnsParts, 'secrets' | 'settings'>,
  row: ZoneRow & { recordCount: number },
): DnsZone {
  const { id, domain, recordCount, serial } = row;
  const isPending = row.verifiedAt === null;
  const unprovenSince = parts.settings.dnsVerifyOwnership ? row.unprovenSince : null;
  return {
    id,
    domain,
    recordCount,
    serial,
    status: isPending ? 'pending' : 'active',
    unprovenSince,
    verification: isPending || unprovenSince !== null ? proofOf(parts, row.ownerId, domain) : null,
  };
}

/** The signed-in person's domains, by name. */
export async function listZones({ db, ownerId }: UserContext, parts: DnsParts): Promise<DnsZone[]> {
  const rows = await zonesOf(db, ownerId).orderBy('zone.domain').execute();
  return rows.map((row) => zoneOf(parts, row));
}

/** A zone of theirs. Throws 404. */
async function findZone({ db, ownerId }: UserContext, domain: string) {
  const row = await zonesOf(db, ownerId).where('zone.domain', '=', domain).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/**
 * Looks for the proof of a domain that is pending or lost it; with it, or where it is asked for no more, the domain is
 * active, and otherwise as before. The proof is looked for before there is a transaction, which would wait for it. Throws 404, and
 * 503 while too much is being looked for.
 */
export async function verifyZone(
  ctx: UserContext,
  parts: DnsParts,
  { domain }: z.output<typeof dns.verify.input>,
  once: Once<UserContext>,
) {
  const proved = await isProved(ctx, parts, domain);
  return once(async (inner) => {
    const row = await findZone(inner, domain);
    if (proved) await atomically(inner.db, (trx) => proveZone(trx, row));
    return zoneOf(parts, await findZone(inner, domain));
  });
}

/** Whether a domain of theirs that is pending or lost its proof is proven now, or need not be. */
async function isProved({ db, ownerId }: UserContext, parts: DnsParts, domain: string): Promise<boolean> {
  const row = await zonesOf(db, ownerId).where('zone.domain', '=', domain).executeTakeFirst();
  if (!row || isFirm(row)) return false;
  if (!parts.settings.dnsVerifyOwnership) return true;
  if (await seeProof(parts, row.ownerId, proofOf(parts, row.ownerId, domain))) return true;
  return row.verifiedAt !== null && (await isStillProven(parts, row)) === true;
}

/** Whether a domain of theirs waits for its proof. */
export async function isPendingDomain(ctx: UserContext, domain: string): Promise<boolean> {
  return (await findZone(ctx, domain)).verifiedAt === null;
}
