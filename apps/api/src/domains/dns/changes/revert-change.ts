import type { DnsChange } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../../core/context.ts';
import { conflict, notFound } from '../../../core/errors.ts';
import type { DnsParts } from '../dns.ts';
import { type Claim, claimOf } from '../ownership.ts';
import { recordsOfZone } from '../records.ts';
import type { ZoneRecord } from '../zone-rules.ts';
import { lockZone } from '../zones.ts';
import { differenceOf, keyOf, sizeOf } from './difference.ts';
import { theChange } from './list-changes.ts';
import { noteDifference } from './note-difference.ts';
import { saveRecords } from './save-records.ts';

async function findChange(db: Kysely<Database>, ownerId: string, id: string) {
  const change = await db
    .selectFrom('dnsChanges')
    .select(['domain', 'added', 'removed'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!change) throw notFound();
  return change;
}

/**
 * Undoes a change, once per key: what it added goes, what it removed comes back, as far as that is not so already. What
 * changed since stays. Throws 404, 409 NOTHING_TO_REVERT or ZONE_CHANGED, and as adding records does.
 */
export async function revertChange(ctx: UserContext, parts: DnsParts, id: string, once: Once<UserContext>) {
  const { domain } = await findChange(ctx.db, ctx.ownerId, id);
  const claim = await claimOf(ctx, parts, domain);
  return once((inner) => revert(inner, id, claim));
}

async function revert(
  { db, user, ownerId, audit }: UserContext,
  id: string,
  claim: Claim,
): Promise<DnsChange> {
  return atomically(db, async (trx) => {
    const { domain, added, removed } = await findChange(trx, ownerId, id);
    const there = await lockZone(trx, ownerId, domain);
    const before = there ? await recordsOfZone(trx, there) : [];
    const after = new Map<string, ZoneRecord>(before.map((record) => [keyOf(record), record]));
    for (const record of added) after.delete(keyOf(record));
    for (const record of removed) after.set(keyOf(record), record);
    const difference = differenceOf(before, [...after.values()]);
    if (sizeOf(difference) === 0) {
      throw conflict('NOTHING_TO_REVERT', 'Nothing is left of this change that could be undone.');
    }
    noteDifference(audit, domain, difference);
    const saved = { ownerId, domain, zone: there, claim, after: [...after.values()], difference };
    const noted = await saveRecords(trx, saved, { kind: 'revert', userId: user.id });
    return theChange(trx, ownerId, noted);
  });
}
