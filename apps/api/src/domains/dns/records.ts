import type { DnsRecord, DnsRecordPage, DnsZoneRecords, RecordType } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import { anyOf } from './any-of.ts';

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
      'record.projectId',
      'record.bucketId',
      'record.createdAt',
    ]);
}

type RecordListInput = NonNullable<z.output<typeof DnsRecordPage>>;

const WHOLE_NAME = sql<string>`case record.name when '@' then zone.domain else record.name || '.' || zone.domain end`;

const LIST: ListShape<NonNullable<RecordListInput['sort']>> = {
  id: 'record.id',
  texts: [WHOLE_NAME, sql`record.record_type`, sql`record.value`],
  // Neither holds a space, so a domain's names follow each other, and of these its own comes first.
  orders: { name: { key: sql`zone.domain || ' ' || record.name`, direction: 'asc' } },
};

/** The signed-in person's records, newest first unless sorted otherwise. */
export function listRecords(
  { db, ownerId }: UserContext,
  { domain, ...page }: RecordListInput = {},
): Promise<DnsRecord[]> {
  const all = recordsOf(db, ownerId).$if(domain !== undefined, (records) =>
    records.where('record.zoneId', '=', ({ selectFrom }) =>
      selectFrom('dnsZones')
        .select('id')
        .where('ownerId', '=', ownerId)
        .where('domain', '=', domain ?? ''),
    ),
  );
  return readPage(all, LIST, page);
}

/** A domain's records by name and type, with the serial that it has with them. Throws 404. */
export async function listZoneRecords({ db, ownerId }: UserContext, domain: string): Promise<DnsZoneRecords> {
  // One statement sees one moment.
  const records = await recordsOf(db, ownerId)
    .where('zone.domain', '=', domain)
    .select('zone.serial')
    .orderBy('record.name')
    .orderBy('record.recordType')
    .orderBy('record.id')
    .execute();
  const [first] = records;
  if (!first) throw notFound();
  return { serial: first.serial, records };
}

interface About {
  types: readonly RecordType[];
  /** Whole ones. */
  names: readonly string[];
  /** Ids of projects, or of buckets, that they follow. */
  projectId?: readonly string[];
  bucketId?: readonly string[];
}

/** Someone's records of some types, all of those at some names, and those that follow apps or sites. */
export function recordsAbout(
  db: Kysely<Database>,
  ownerId: string,
  { types, names, projectId = [], bucketId = [] }: About,
): Promise<DnsRecord[]> {
  return recordsOf(db, ownerId)
    .where(({ eb, or }) =>
      or([
        eb('record.recordType', '=', anyOf(types)),
        eb('record.projectId', '=', sql<string>`any(${projectId}::uuid[])`),
        eb('record.bucketId', '=', sql<string>`any(${bucketId}::uuid[])`),
        eb(WHOLE_NAME, '=', anyOf(names)),
      ]),
    )
    .orderBy('record.id')
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
