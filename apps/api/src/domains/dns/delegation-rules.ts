import { wholeName } from '@nephos/contracts';
import { conflict } from '../../core/errors.ts';
import { has, isAddress, parentOf, type Records, type Zone } from './judged-zone.ts';

/** The name at or above `name` that NS records delegate to others; the apex itself is not delegated. */
export function cutOf(name: string, cuts: ReadonlySet<string>): string | undefined {
  let above = name;
  while (above !== '@' && !cuts.has(above)) above = parentOf(above);
  return above === '@' ? undefined : above;
}

/** Names below the apex that NS records delegate. */
export function cutsOf(records: Records): ReadonlySet<string> {
  const delegations = records.filter(({ name, recordType }) => recordType === 'NS' && name !== '@');
  return new Set(delegations.map(({ name }) => name));
}

/** Others answer for what is delegated: below it, only the addresses of their name servers are of use here. */
export function assertDelegations({ domain, records }: Zone): void {
  const cuts = cutsOf(records);
  if (cuts.size === 0) return;
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
export function assertSignedDelegations({ domain, at, records }: Zone): void {
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
