import { type DnsZone, dns } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { once } from '../../http/idempotency.ts';
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

function zoneOf(ctx: UserContext, row: ZoneRow & { recordCount: number }): DnsZone {
  const { domain, recordCount, serial } = row;
  const pending = row.verifiedAt === null;
  return {
    domain,
    recordCount,
    serial,
    status: pending ? 'pending' : 'active',
    verification: pending ? proofOf(ctx, row.ownerId, domain) : null,
  };
}

/** The signed-in person's domains, by name. */
export async function listZones(ctx: UserContext): Promise<DnsZone[]> {
  const rows = await zonesOf(ctx.db, ctx.user.id).orderBy('zone.domain').execute();
  return rows.map((row) => zoneOf(ctx, row));
}

async function findZone({ db, user }: UserContext, domain: string) {
  const row = await zonesOf(db, user.id).where('zone.domain', '=', domain).executeTakeFirst();
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
  input: z.output<typeof dns.verify.input>,
): Promise<DnsZone> {
  const { domain } = input;
  const proved = await isProved(ctx, domain);
  const call = { row: dns.verify, ctx, path: 'dns.verify', input };
  const answer = await once(call, async ({ db }) => {
    const inner = { ...ctx, db };
    const row = await findZone(inner, domain);
    if (proved) await atomically(db, (trx) => proveZone(trx, row));
    return zoneOf(inner, await findZone(inner, domain));
  });
  // What was kept under a key is what was answered to it first.
  return answer as DnsZone;
}

/** Whether a pending domain of theirs need not be pending any more. */
async function isProved(ctx: UserContext, domain: string): Promise<boolean> {
  const row = await zonesOf(ctx.db, ctx.user.id).where('zone.domain', '=', domain).executeTakeFirst();
  if (row?.verifiedAt !== null) return false;
  return !ctx.settings.dnsVerifyOwnership || seeProof(ctx, row.ownerId, proofOf(ctx, row.ownerId, domain));
}

/** Whether a domain of theirs waits for its proof. */
export async function isPendingDomain(ctx: UserContext, domain: string): Promise<boolean> {
  return (await findZone(ctx, domain)).verifiedAt === null;
}
