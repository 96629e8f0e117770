import type { DnsChange, DnsEdits, RecordEdit } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict, notFound } from '../../../core/errors.ts';
import type { DnsParts } from '../dns.ts';
import { type Claim, claimOf } from '../ownership.ts';
import { changedRecord, type EditedRecord, withChange } from '../record-edits.ts';
import { recordsOfZone } from '../records.ts';
import { assertNotReserved } from '../reserved.ts';
import { lockZone, zoneChanged } from '../zones.ts';
import { differenceOf, sizeOf } from './difference.ts';
import { theChange } from './list-changes.ts';
import { noteDifference } from './note-difference.ts';
import { saveRecords } from './save-records.ts';

type Input = z.output<typeof DnsEdits>;

/**
 * Saves edits of a domain as one change, once per key. The rules hold for what all of them leave, so that a record can
 * take the place of one beside which it could not stand. Throws 400, 404 for a record that is not there, 409
 * ZONE_CHANGED where the zone is not that which was edited, NOTHING_CHANGED, and as single edits do.
 */
export async function editZone(ctx: UserContext, parts: DnsParts, input: Input, once: Once<UserContext>) {
  const claim = await claimFor(ctx, parts, input);
  return once((inner) => saveEdits(inner, input, claim));
}

/** What single edits of these kinds ask for: deletions nothing, changes that the domain is nobody's to reserve. */
async function claimFor(
  ctx: UserContext,
  parts: DnsParts,
  { domain, edits }: Input,
): Promise<Claim | undefined> {
  if (edits.some(({ action }) => action === 'add')) return claimOf(ctx, parts, domain);
  if (edits.some(({ action }) => action === 'change')) assertNotReserved(ctx.user, parts.settings, domain);
  return undefined;
}

async function saveEdits(
  { db, user, ownerId, audit }: UserContext,
  { domain, serial, edits }: Input,
  claim: Claim | undefined,
): Promise<DnsChange> {
  return atomically(db, async (trx) => {
    const zone = await lockZone(trx, ownerId, domain);
    if ((zone?.serial ?? 0) !== serial) throw zoneChanged(domain);
    const before = zone ? await recordsOfZone(trx, zone) : [];
    const after = edited(before, edits, domain);
    const difference = differenceOf(before, after);
    if (sizeOf(difference) === 0) {
      throw conflict('NOTHING_CHANGED', `These edits leave ${domain} as it is.`);
    }
    noteDifference(audit, domain, difference);
    const saved = { ownerId, domain, zone, claim, after, difference };
    return theChange(trx, ownerId, await saveRecords(trx, saved, { kind: 'edit', userId: user.id }));
  });
}

/** The records after the edits, in their order, so that what is new is judged last. */
function edited(
  before: readonly EditedRecord[],
  edits: readonly RecordEdit[],
  domain: string,
): EditedRecord[] {
  let records = [...before];
  for (const [index, edit] of edits.entries()) {
    if (edit.action === 'add') {
      const { action: _, ...record } = edit;
      records.push(record);
      continue;
    }
    const current = records.find(({ id }) => id === edit.id);
    if (!current) throw notFound();
    records =
      edit.action === 'delete'
        ? records.filter((record) => record !== current)
        : withChange(records, current, changedRecord(current, edit, { domain, path: `edits.${index}.` }));
  }
  return records;
}
