import { hostIn, NULL_MX, type RecordType, relativeName, wholeName, withArticle } from '@nephos/contracts';
import { conflict } from '../../core/errors.ts';

/** A record in its canonical form, of a zone that is known. */
export interface ZoneRecord {
  name: string;
  recordType: RecordType;
  value: string;
  ttl: number;
}

type Records = readonly ZoneRecord[];

/** A zone as its rules look at it. */
interface Zone {
  domain: string;
  records: Records;
  at: ReadonlyMap<string, Records>;
  /** By name and type. */
  sets: readonly Records[];
}

/** An apex has no parent inside its zone. */
function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '@' : name.slice(dot + 1);
}

function wildcardBelow(name: string): string {
  return name === '@' ? '*' : `*.${name}`;
}

function isAddress({ recordType }: ZoneRecord): boolean {
  return recordType === 'A' || recordType === 'AAAA';
}

function has(records: Records | undefined, type: RecordType): boolean {
  return records?.some(({ recordType }) => recordType === type) ?? false;
}

/** The host that a record's value names; undefined where it names none inside the zone. */
function targetOf({ recordType, value }: ZoneRecord, domain: string): string | undefined {
  const host = hostIn(recordType, value);
  return host === undefined ? undefined : relativeName(host, domain);
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

/** RFC 1034 §3.6.2. */
function assertCnamesAlone({ domain, at }: Zone): void {
  for (const [name, records] of at) {
    if (!has(records, 'CNAME')) continue;
    if (name === '@') {
      throw conflict('CNAME_CONFLICT', `${domain} itself can't have a CNAME record, only names below it.`);
    }
    const other = records.find(({ recordType }) => recordType !== 'CNAME');
    if (!other) continue;
    const both = `a CNAME record alongside ${other.recordType} records`;
    throw conflict('CNAME_CONFLICT', `${wholeName(name, domain)} can't have ${both}.`);
  }
}

/** An ALIAS stands for the addresses of its name. */
function assertAliasesAlone({ domain, at }: Zone): void {
  for (const [name, records] of at) {
    if (!has(records, 'ALIAS')) continue;
    const other = records.find(isAddress);
    if (!other) continue;
    const both = `an ALIAS record alongside ${other.recordType} records`;
    throw conflict('ALIAS_CONFLICT', `${wholeName(name, domain)} can't have ${both}.`);
  }
}

function isAlias({ recordType }: ZoneRecord): boolean {
  return recordType === 'CNAME' || recordType === 'ALIAS';
}

/** The CNAME or ALIAS that answers for a name: its own, or that of the wildcard which covers it (RFC 4592 §3.3.1). */
type FindAlias = (name: string) => ZoneRecord | undefined;

function aliasFinder({ at, records }: Zone): FindAlias {
  if (!records.some((record) => isAlias(record) && record.name.startsWith('*'))) {
    return (name) => at.get(name)?.find(isAlias);
  }
  const existing = new Set<string>(['@']);
  for (const { name } of records) {
    // All names above one that exists do exist.
    for (let above = name; !existing.has(above); above = parentOf(above)) existing.add(above);
  }
  return (name) => {
    let encloser = name;
    while (!existing.has(encloser)) encloser = parentOf(encloser);
    return at.get(encloser === name ? name : wildcardBelow(encloser))?.find(isAlias);
  };
}

function assertNoAliasLoops({ domain, records }: Zone, findAlias: FindAlias): void {
  const ending = new Set<ZoneRecord>();
  for (const start of records.filter(isAlias)) {
    const chain = new Set<ZoneRecord>();
    for (let next: ZoneRecord | undefined = start; next && !ending.has(next); ) {
      if (chain.has(next)) {
        const owner = wholeName(start.name, domain);
        const { recordType } = start;
        const rule = `The ${recordType} record of ${owner} would point back to itself.`;
        throw conflict(`${recordType}_CONFLICT`, rule);
      }
      chain.add(next);
      const target = targetOf(next, domain);
      next = target === undefined ? undefined : findAlias(target);
    }
    for (const record of chain) ending.add(record);
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

/** The name at or above `name` that NS records delegate to others; the apex itself is not delegated. */
function cutOf(name: string, cuts: ReadonlySet<string>): string | undefined {
  let above = name;
  while (above !== '@' && !cuts.has(above)) above = parentOf(above);
  return above === '@' ? undefined : above;
}

/** Others answer for what is delegated: below it, only the addresses of their name servers are of use here. */
function assertDelegations({ domain, records }: Zone): void {
  const delegations = records.filter(({ name, recordType }) => recordType === 'NS' && name !== '@');
  if (delegations.length === 0) return;
  const cuts = new Set(delegations.map(({ name }) => name));
  for (const record of records) {
    const { name, recordType } = record;
    const owner = wholeName(name, domain);
    if (recordType === 'NS' && name.startsWith('*')) {
      throw conflict('CONFLICT', `${owner} can't have NS records: wildcards can't be delegated.`);
    }
    if (isAddress(record) || recordType === 'DS' || name === '@') continue;
    const cut = cutOf(recordType === 'NS' ? parentOf(name) : name, cuts);
    if (cut === undefined) continue;
    const why = `the NS records of ${wholeName(cut, domain)} delegate it to other name servers`;
    throw conflict('DELEGATED', `${owner} can't have ${recordType} records here because ${why}.`);
  }
}

/** RFC 4034 §5: the digest of a key belongs to a delegation, on our side of it. */
function assertSignedDelegations({ domain, at, records }: Zone): void {
  for (const { name, recordType } of records) {
    if (recordType !== 'DS') continue;
    const owner = wholeName(name, domain);
    if (name === '@') {
      const where = `Add it at the registrar of ${domain}, or in the domain above`;
      throw conflict('DS_CONFLICT', `${owner} itself can't have DS records here. ${where}.`);
    }
    if (!has(at.get(name), 'NS')) {
      throw conflict('DS_CONFLICT', `${owner} needs NS records because it has DS records.`);
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
  assertDelegations(zone);
  assertSignedDelegations(zone);
}
