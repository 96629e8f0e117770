import type { RecordType } from '@nephos/contracts';

interface CheckedRecord {
  name: string;
  recordType: RecordType;
  value: string;
  ttl: number;
}

/** Whole names, root last: `['www', 'example', 'test']`. */
type Labels = readonly string[];

const labelsOf = (name: string): Labels => name.split('.');
const same = (a: Labels, b: Labels) => a.join('.') === b.join('.');
const within = (a: Labels, b: Labels) => a.length >= b.length && same(a.slice(a.length - b.length), b);

/**
 * What is wrong with a zone by RFC 1034, 2181 and 4592 and by our own rule for delegations. It looks at every pair of
 * records and shares no line with the service, so that it can judge it.
 */
export function faultsOf(domain: string, given: readonly CheckedRecord[]): string[] {
  const apex = labelsOf(domain);
  const records = given.map((record) => ({
    ...record,
    owner: record.name === '@' ? apex : [...labelsOf(record.name), ...apex],
  }));
  const at = (owner: Labels) => records.filter((record) => same(record.owner, owner));
  const exists = (owner: Labels) =>
    same(owner, apex) || records.some((record) => within(record.owner, owner));
  const lookUp = (owner: Labels): typeof records => {
    if (exists(owner)) return at(owner);
    let encloser = owner.slice(1);
    while (!exists(encloser)) encloser = encloser.slice(1);
    return at(['*', ...encloser]);
  };
  const faults: string[] = [];

  records.forEach((one, i) => {
    for (const other of records.slice(i + 1)) {
      if (!same(one.owner, other.owner)) continue;
      if (one.recordType === 'CNAME' || other.recordType === 'CNAME') faults.push('CNAME and another record');
      const types = [one.recordType, other.recordType];
      if (types.includes('ALIAS') && (types.includes('A') || types.includes('AAAA'))) {
        faults.push('ALIAS and an address');
      }
      if (one.recordType !== other.recordType) continue;
      if (one.recordType === 'ALIAS') faults.push('two ALIASes');
      if (one.value === other.value) faults.push('twice the same');
      if (one.ttl !== other.ttl) faults.push('two TTLs in a set');
    }
  });

  for (const { owner, recordType, value } of records) {
    if (recordType === 'DS') {
      if (same(owner, apex)) faults.push('DS at the apex');
      if (!at(owner).some((record) => record.recordType === 'NS')) faults.push('DS without delegation');
    }
    if (recordType === 'CNAME' || recordType === 'ALIAS') {
      if (recordType === 'CNAME' && same(owner, apex)) faults.push('CNAME at the apex');
      let here = owner;
      for (let step = 0; ; step += 1) {
        const [next] = lookUp(here).filter((record) => ['CNAME', 'ALIAS'].includes(record.recordType));
        if (!next) break;
        if (step > records.length) {
          faults.push('alias loop');
          break;
        }
        here = labelsOf(next.value);
        if (!within(here, apex)) break;
      }
    }
    if (recordType === 'MX' || recordType === 'NS' || recordType === 'SRV') {
      const host = labelsOf(value.split(' ').at(-1) ?? '');
      if (within(host, apex)) {
        if (lookUp(host).some((record) => record.recordType === 'CNAME')) faults.push('target is a CNAME');
        const addresses = at(host).filter((record) => ['A', 'AAAA'].includes(record.recordType));
        if (recordType === 'NS' && addresses.length === 0) faults.push('no glue');
      }
    }
    if (recordType === 'MX' && value.endsWith(' .')) {
      const beside = at(owner).filter((record) => record.recordType === 'MX');
      if (beside.length > 1) faults.push('mail beside none');
    }
    if (recordType === 'NS' && owner[0] === '*') faults.push('NS at a wildcard');
    if (recordType === 'NS' && !same(owner, apex)) {
      for (const below of records.filter((record) => within(record.owner, owner))) {
        const isGlue = below.recordType === 'A' || below.recordType === 'AAAA';
        const isSame = ['NS', 'DS'].includes(below.recordType) && same(below.owner, owner);
        if (!isGlue && !isSame) faults.push('data below a delegation');
      }
    }
  }
  return faults;
}
