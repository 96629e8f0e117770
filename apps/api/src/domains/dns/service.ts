import type { DnsRecord, DnsRecordChange, NewDnsRecord, User } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { assertAliasesServed } from './alias-targets.ts';
import { type Difference, differenceOf } from './changes/difference.ts';
import { noteChange } from './changes/note-change.ts';
import { noteDifference } from './changes/note-difference.ts';
import type { DnsParts } from './dns.ts';
import { type Claim, claimOf } from './ownership.ts';
import { changedRecord, withChange } from './record-edits.ts';
import { findRecord, recordsOfZone } from './records.ts';
import { assertNotReserved } from './reserved.ts';
import { assertRoom } from './zone-room.ts';
import { assertZone } from './zone-rules.ts';
import { raiseSerial } from './zone-serials.ts';
import { freeZone, lockZone, takeZone, type ZoneRow } from './zones.ts';

/**
 * Adds a record, once per key. What has to be asked on the internet is asked before there is a transaction, which would
 * wait for it. Throws as `claimOf` and `createRecord` do.
 */
export async function addRecord(
  ctx: UserContext,
  parts: DnsParts,
  input: z.output<typeof NewDnsRecord>,
  once: Once<UserContext>,
) {
  const claim = await claimOf(ctx, parts, input.domain);
  return once((inner) => createRecord(inner, input, claim));
}

/**
 * Adds a record, and takes its domain where that is new, by the claim to it. Throws 403 QUOTA_EXCEEDED, and 409
 * DOMAIN_TAKEN, ZONE_OVERLAP or what `assertZone` does.
 */
export async function createRecord(
  { db, user, ownerId, audit }: UserContext,
  { domain, ...record }: z.output<typeof NewDnsRecord>,
  claim: Claim,
): Promise<DnsRecord> {
  return atomically(db, async (trx) => {
    const { zone, isNew } = await takeZone(trx, { ...claim, ownerId, domain, name: record.name });
    const before = await recordsOfZone(trx, zone);
    const records = [...before, record];
    assertZone(domain, records);
    assertRoom(domain, records);
    await assertAliasesServed(trx, domain, [record]);
    const { id } = await trx
      .insertInto('dnsRecords')
      .values({ ...record, ownerId, zoneId: zone.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    const serial = isNew ? zone.serial : await raiseSerial(trx, zone);
    const difference = differenceOf(before, records);
    await noteEdit(trx, { ...zone, serial }, user, difference);
    noteDifference(audit, domain, difference);
    return theRecord(trx, ownerId, id);
  });
}

/**
 * Changes a record, and with its TTL that of its whole set. Throws 400, 403 DOMAIN_RESERVED, 404, and 409 as
 * `assertZone` does.
 */
export async function updateRecord(
  { db, user, ownerId, audit }: UserContext,
  settings: Settings,
  { id, ...change }: z.output<typeof DnsRecordChange>,
): Promise<DnsRecord> {
  return atomically(db, async (trx) => {
    const { zone, records, current } = await lockRecord(trx, ownerId, id);
    assertNotReserved(user, settings, zone.domain);
    const changed = changedRecord(current, change, zone);
    const { name, value, ttl } = changed;
    if (name !== current.name || value !== current.value || ttl !== current.ttl) {
      const after = withChange(records, current, changed);
      assertZone(zone.domain, after);
      assertRoom(zone.domain, after);
      if (value !== current.value) await assertAliasesServed(trx, zone.domain, [changed]);
      const own = trx.updateTable('dnsRecords').where('ownerId', '=', ownerId).where('zoneId', '=', zone.id);
      // What is written by hand follows nothing any more.
      const isSame = name === current.name && value === current.value;
      await own
        .set({ name, value, ...(!isSame && { projectId: null, bucketId: null }) })
        .where('id', '=', id)
        .execute();
      await own.set({ ttl }).where('name', '=', name).where('recordType', '=', current.recordType).execute();
      const serial = await raiseSerial(trx, zone);
      const difference = differenceOf(records, after);
      await noteEdit(trx, { ...zone, serial }, user, difference);
      noteDifference(audit, zone.domain, difference);
    }
    return theRecord(trx, ownerId, id);
  });
}

/** Deletes a record; its domain goes with the last one. Throws 404, and 409 where another record needs it or as `freeZone` does. */
export async function removeRecord(
  { db, user, ownerId, audit }: UserContext,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const { zone, records } = await lockRecord(trx, ownerId, id);
    const after = records.filter((other) => other.id !== id);
    const difference = differenceOf(records, after);
    noteDifference(audit, zone.domain, difference);
    if (after.length === 0) {
      const serial = await freeZone(trx, zone);
      return noteEdit(trx, { ...zone, serial }, user, difference);
    }
    assertZone(zone.domain, after);
    await trx.deleteFrom('dnsRecords').where('ownerId', '=', ownerId).where('id', '=', id).execute();
    const serial = await raiseSerial(trx, zone);
    return noteEdit(trx, { ...zone, serial }, user, difference);
  });
  return { success: true };
}

function noteEdit(
  trx: Kysely<Database>,
  zone: ZoneRow,
  { id: userId }: User,
  difference: Difference,
): Promise<string | undefined> {
  return noteChange(trx, zone, difference, { kind: 'edit', userId });
}

async function theRecord(db: Kysely<Database>, ownerId: string, id: string): Promise<DnsRecord> {
  const record = await findRecord(db, ownerId, id);
  if (!record) throw notFound();
  return record;
}

/** A record with all others of its zone, which is kept from other changes. */
async function lockRecord(trx: Kysely<Database>, ownerId: string, id: string) {
  const { domain } = await theRecord(trx, ownerId, id);
  const zone = await lockZone(trx, ownerId, domain);
  if (!zone) throw notFound();
  const records = await recordsOfZone(trx, zone);
  const current = records.find((record) => record.id === id);
  if (!current) throw notFound();
  return { zone, records, current };
}
