import { NULL_MX, type RecordType, wholeName, withArticle } from '@nephos/contracts';
import { conflict } from '../../core/errors.ts';
import {
  aliasFinder,
  assertAliasesAlone,
  assertAliasesAnswered,
  assertCnamesAlone,
  assertNoAliasLoops,
  type FindAlias,
} from './alias-rules.ts';
import { assertDelegations, assertSignedDelegations } from './delegation-rules.ts';
import { isAddress, type Records, targetOf, type Zone } from './judged-zone.ts';

/** A record in its canonical form, of a zone that is known. */
export interface ZoneRecord {
  name: string;
  recordType: RecordType;
  value: string;
  ttl: number;
}

/** RFC 2181 §5; of MX also RFC 7505 §3. */
function assertSets({ domain, sets }: Zone): void {
  for (const set of sets) {
    const [first] = set;
    if (!first) continue;
    const { name, recordType, ttl } = first;
    const owner = wholeName(name, domain);
    if (new Set(set.map(({ value }) => value)).size < set.length) {
      throw conflict('DUPLICATE', `${owner} already has this ${recordType} record.`);
    }
    if ((recordType === 'CNAME' || recordType === 'ALIAS') && set.length > 1) {
      const rule = `${owner} already has ${withArticle(recordType)} record. A name can only have one.`;
      throw conflict(`${recordType}_CONFLICT`, rule);
    }
    if (recordType === 'MX' && set.length > 1 && set.some(({ value }) => value === NULL_MX)) {
      const rule = `the record ${NULL_MX} means it accepts no mail`;
      throw conflict('NULL_MX', `${owner} can't have other MX records: ${rule}.`);
    }
    if (set.some((record) => record.ttl !== ttl)) {
      const rule = 'Records with the same name and type share one TTL';
      throw conflict(
        'TTL_MISMATCH',
        `The other ${recordType} records of ${owner} have a TTL of ${ttl}. ${rule}.`,
      );
    }
  }
}

/** Whose hosts have addresses of their own (RFC 2181 §10.3, RFC 2782). */
const TO_HOSTS: ReadonlySet<RecordType> = new Set(['MX', 'NS', 'SRV']);

/** An NS record's host inside the zone has its address there too, else nobody finds it. */
function assertTargets({ domain, at, records }: Zone, findAlias: FindAlias): void {
  for (const record of records) {
    const target = TO_HOSTS.has(record.recordType) ? targetOf(record, domain) : undefined;
    if (target === undefined) continue;
    const host = wholeName(target, domain);
    const named = `an ${record.recordType} record of ${wholeName(record.name, domain)} points to it`;
    if (findAlias(target)?.recordType === 'CNAME') {
      throw conflict('CNAME_CONFLICT', `${host} can't have a CNAME record because ${named}.`);
    }
    if (record.recordType === 'NS' && !at.get(target)?.some(isAddress)) {
      throw conflict('GLUE_NEEDED', `${host} needs an A or AAAA record because ${named}.`);
    }
  }
}

/**
 * Refuses records that cannot stand in one zone, with 409 and a sentence that names the rule; of what contradicts each
 * other, `records` has the new one last.
 */
export function assertZone(domain: string, records: Records): void {
  const zone = {
    domain,
    records,
    at: Map.groupBy(records, ({ name }) => name),
    sets: [...Map.groupBy(records, ({ name, recordType }) => `${name} ${recordType}`).values()],
  };
  assertSets(zone);
  assertCnamesAlone(zone);
  assertAliasesAlone(zone);
  const findAlias = aliasFinder(zone);
  assertNoAliasLoops(zone, findAlias);
  assertTargets(zone, findAlias);
  assertAliasesAnswered(zone, findAlias);
  assertDelegations(zone);
  assertSignedDelegations(zone);
}
