import { wholeName } from '@nephos/contracts';
import { conflict } from '../../core/errors.ts';
import { cutOf, cutsOf } from './delegation-rules.ts';
import { has, isAddress, parentOf, targetOf, type Zone } from './judged-zone.ts';
import type { ZoneRecord } from './zone-rules.ts';

/** RFC 1034 §3.6.2. */
export function assertCnamesAlone({ domain, at }: Zone): void {
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
export function assertAliasesAlone({ domain, at }: Zone): void {
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
export type FindAlias = (name: string) => ZoneRecord | undefined;

function wildcardBelow(name: string): string {
  return name === '@' ? '*' : `*.${name}`;
}

export function aliasFinder({ at, records }: Zone): FindAlias {
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

export function assertNoAliasLoops({ domain, records }: Zone, findAlias: FindAlias): void {
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

/**
 * The name server answers for an ALIAS with what it has itself, so that its target cannot be an alias to elsewhere or
 * belong to others. An ALIAS that itself points to another domain is judged by who knows the domains that are served.
 */
export function assertAliasesAnswered({ domain, records }: Zone, findAlias: FindAlias): void {
  const cuts = cutsOf(records);
  /** Names from which no chain leads away. */
  const answered = new Set<string>();
  for (const start of records) {
    if (start.recordType !== 'ALIAS') continue;
    const refuse = (why: string): never => {
      const owner = wholeName(start.name, domain);
      const advice = 'Point it to a name with addresses here, or add A and AAAA records instead';
      throw conflict(
        'ALIAS_CONFLICT',
        `The ALIAS record of ${owner} has no addresses because ${why}. ${advice}.`,
      );
    };
    let target = targetOf(start, domain);
    while (target !== undefined && !answered.has(target)) {
      answered.add(target);
      const host = wholeName(target, domain);
      const cut = cutOf(target, cuts);
      if (cut !== undefined) refuse(`${wholeName(cut, domain)} is delegated to other name servers`);
      const next = findAlias(target);
      target = next && targetOf(next, domain);
      if (next?.recordType === 'CNAME' && target === undefined) {
        refuse(`${host} has a CNAME record to ${next.value}, outside ${domain}`);
      }
    }
  }
}
