import { hostIn, type RecordType, relativeName } from '@nephos/contracts';
import type { ZoneRecord } from './zone-rules.ts';

export type Records = readonly ZoneRecord[];

/** A zone as its rules look at it. */
export interface Zone {
  domain: string;
  records: Records;
  at: ReadonlyMap<string, Records>;
  /** By name and type. */
  sets: readonly Records[];
}

/** An apex has no parent inside its zone. */
export function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '@' : name.slice(dot + 1);
}

export function isAddress({ recordType }: ZoneRecord): boolean {
  return recordType === 'A' || recordType === 'AAAA';
}

export function has(records: Records | undefined, type: RecordType): boolean {
  return records?.some(({ recordType }) => recordType === type) ?? false;
}

/** The host that a record's value names; undefined where it names none inside the zone. */
export function targetOf({ recordType, value }: ZoneRecord, domain: string): string | undefined {
  const host = hostIn(recordType, value);
  return host === undefined ? undefined : relativeName(host, domain);
}
