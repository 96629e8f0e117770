import type { DnsRecord, DnsRecordPage } from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';

/** Someone's records with their domains, as the contract shows them. */
function recordsOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('dnsRecords as record')
    .innerJoin('dnsZones as zone', 'zone.id', 'record.zoneId')
    .where('record.ownerId', '=', ownerId)
    .select([
      'record.id',
      'zone.domain',
      'record.recordType',
      'record.name',
      'record.value',
      'record.ttl',
      'record.createdAt',
    ]);
}

/** The signed-in person's records, newest first. */
export function listRecords(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor, domain }: NonNullable<z.output<typeof DnsRecordPage>> = {},
): Promise<DnsRecord[]> {
  return recordsOf(db, ownerId)
    .$if(domain !== undefined, (all) =>
      all.where('record.zoneId', '=', ({ selectFrom }) =>
        selectFrom('dnsZones')
          .select('id')
          .where('ownerId', '=', ownerId)
          .where('domain', '=', domain ?? ''),
      ),
    )
    .$if(cursor !== undefined, (all) => all.where('record.id', '<', cursor ?? ''))
    .orderBy('record.id', 'desc')
    .limit(limit)
    .execute();
}

export function findRecord(
  db: Kysely<Database>,
  ownerId: string,
  id: string,
): Promise<DnsRecord | undefined> {
  return recordsOf(db, ownerId).where('record.id', '=', id).executeTakeFirst();
}

/** All records of a zone, for its rules to be judged by. */
export function recordsOfZone(trx: Kysely<Database>, { ownerId, id }: { ownerId: string; id: string }) {
  return trx
    .selectFrom('dnsRecords')
    .select(['id', 'name', 'recordType', 'value', 'ttl'])
    .where('ownerId', '=', ownerId)
    .where('zoneId', '=', id)
    .execute();
}
