import type { DnsZone, dns } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { DnsParts } from './dns.ts';
import { proofOf, seeProof } from './ownership.ts';
import { proveZone, type ZoneRow } from './zones.ts';

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

function zoneOf(parts: Pick<DnsParts, 'secrets'>, row: ZoneRow & { recordCount: number }): DnsZone {
  const { domain, recordCount, serial } = row;
  const pending = row.verifiedAt === null;
  return {
    domain,
    recordCount,
    serial,
    status: pending ? 'pending' : 'active',
    verification: pending ? proofOf(parts, row.ownerId, domain) : null,
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
 * Looks for the proof of a pending domain; with it, or where it is asked for no more, the domain is active, and
 * otherwise as before. The proof is looked for before there is a transaction, which would wait for it. Throws 404, and
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

/** Whether a pending domain of theirs need not be pending any more. */
async function isProved({ db, ownerId }: UserContext, parts: DnsParts, domain: string): Promise<boolean> {
  const row = await zonesOf(db, ownerId).where('zone.domain', '=', domain).executeTakeFirst();
  if (row?.verifiedAt !== null) return false;
  return (
    !parts.settings.dnsVerifyOwnership || seeProof(parts, row.ownerId, proofOf(parts, row.ownerId, domain))
  );
}

/** Whether a domain of theirs waits for its proof. */
export async function isPendingDomain(ctx: UserContext, domain: string): Promise<boolean> {
  return (await findZone(ctx, domain)).verifiedAt === null;
}
