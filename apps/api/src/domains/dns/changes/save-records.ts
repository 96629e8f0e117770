import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { notFound } from '../../../core/errors.ts';
import { assertAliasesServed } from '../alias-targets.ts';
import type { Claim } from '../ownership.ts';
import type { EditedRecord } from '../record-edits.ts';
import { assertRoom } from '../zone-room.ts';
import { assertZone } from '../zone-rules.ts';
import { freeZone, takeNewZone, type ZoneRow } from '../zones.ts';
import type { Difference } from './difference.ts';
import { type ChangeOrigin, noteChange } from './note-change.ts';
import { saveDifference } from './save-difference.ts';

interface Saved {
  ownerId: string;
  domain: string;
  /** The zone, locked; undefined where there is none yet. */
  zone: ZoneRow | undefined;
  /** To a domain whose zone is yet to be made. */
  claim: Claim | undefined;
  /** All records that it is to have. */
  after: readonly EditedRecord[];
  /** What that changes. */
  difference: Difference;
}

/**
 * Leaves a zone with other records than it had, or frees it where none is left; the change's id, if there is one. Throws
 * as `assertZone`, `assertRoom`, `assertAliasesServed`, `takeNewZone` and `freeZone` do.
 */
export async function saveRecords(
  trx: Kysely<Database>,
  { ownerId, domain, zone, claim, after, difference }: Saved,
  origin: ChangeOrigin,
): Promise<string | undefined> {
  if (zone && after.length === 0) {
    const serial = await freeZone(trx, zone);
    return noteChange(trx, { ...zone, serial }, difference, origin);
  }
  assertZone(domain, after);
  assertRoom(domain, after);
  await assertAliasesServed(trx, domain, difference.added);
  const there = zone ?? (claim && (await takeNewZone(trx, { ...claim, ownerId, domain, name: '@' })));
  if (!there) throw notFound();
  return saveDifference(trx, there, difference, origin);
}
