import { wholeName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type SealedRules, sealedRules } from '../secondaries/sealed-rules.ts';
import { type SealedZoneKey, withSealedKeys } from '../signing/zone-keys.ts';
import type { RecordData } from './record-data.ts';
import type { ZoneData } from './zone.ts';

/** Which version of a zone the database has. */
export interface ZoneVersion {
  id: string;
  domain: string;
  serial: number;
  transferVersion: number;
}

const PAGE = 1000;
/** Seconds: such a record is there for as long as an authority looks for it. */
const CHALLENGE_TTL = 5;

/** Every zone that is to be served, in pages by domain. */
export async function* listZoneVersions(db: Kysely<Database>): AsyncGenerator<ZoneVersion[]> {
  for (let last = ''; ; ) {
    const page = await db
      .selectFrom('dnsZones')
      .where('verifiedAt', 'is not', null)
      .where('domain', '>', last)
      .select(['id', 'domain', 'serial', 'transferVersion'])
      .orderBy('domain')
      .limit(PAGE)
      .execute();
    yield page;
    const end = page.at(-1);
    if (!end || page.length < PAGE) return;
    last = end.domain;
  }
}

/** A zone with its records, as of one moment since one statement reads both. */
export function withRecords(zone: ExpressionBuilder<Database, 'dnsZones'>) {
  return [
    'id',
    'domain',
    'serial',
    jsonArrayFrom(
      zone
        .selectFrom('dnsRecords')
        .whereRef('dnsRecords.zoneId', '=', 'dnsZones.id')
        .select(['name', 'recordType as type', 'value', 'ttl'])
        .orderBy('id'),
    ).as('records'),
  ] as const;
}

/** What `withRecords` reads, with the whole names of the records. */
export function zoneDataOf<
  Z extends { domain: string; records: readonly (RecordData & { name: string })[] },
>({ records, ...zone }: Z) {
  return {
    ...zone,
    records: records.map(({ name, ...data }) => ({ ...data, owner: wholeName(name, zone.domain) })),
  };
}

/** Those of `domains` that are to be served, with who may copy them and what certificate authorities look for. */
export async function readZones(
  db: Kysely<Database>,
  domains: readonly string[],
): Promise<(ZoneData & ZoneVersion & SealedRules & { sealedKeys: readonly SealedZoneKey[] })[]> {
  const zones = await db
    .selectFrom('dnsZones')
    .where('verifiedAt', 'is not', null)
    .where('domain', 'in', domains)
    .select(withRecords)
    .select(withSealedKeys)
    .select('transferVersion')
    .select(sealedRules)
    .select((zone) => [
      jsonArrayFrom(
        zone
          .selectFrom('acmeChallenges')
          .whereRef('acmeChallenges.zoneId', '=', 'dnsZones.id')
          .select(['acmeChallenges.name as owner', 'answer as value'])
          .orderBy('acmeChallenges.id'),
      ).as('challenges'),
    ])
    .execute();
  return zones.map(({ challenges, ...zone }) => {
    const { records, ...version } = zoneDataOf(zone);
    const proofs = challenges.map((proof) => ({ ...proof, type: 'TXT' as const, ttl: CHALLENGE_TTL }));
    return { ...version, records: [...records, ...proofs] };
  });
}
