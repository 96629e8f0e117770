import type { ZoneRecord } from '../zone-rules.ts';

/** A record that the zone has. */
export interface StoredRecord extends ZoneRecord {
  id: string;
}

/** What lies between two states of a zone. */
export interface Difference {
  added: readonly ZoneRecord[];
  removed: readonly StoredRecord[];
  /** With their new TTL. */
  changed: readonly (StoredRecord & { formerTtl: number })[];
}

/** What makes a record the same one, whatever its TTL. */
export function keyOf({ name, recordType, value }: ZoneRecord): string {
  return JSON.stringify([name, recordType, value]);
}

export function differenceOf(before: readonly StoredRecord[], after: readonly ZoneRecord[]) {
  const known = new Map(before.map((record) => [keyOf(record), record]));
  const stays = new Set(after.map(keyOf));
  return {
    added: after.filter((record) => !known.has(keyOf(record))),
    removed: before.filter((record) => !stays.has(keyOf(record))),
    changed: after.flatMap((record) => {
      const stored = known.get(keyOf(record));
      return stored && stored.ttl !== record.ttl
        ? [{ ...stored, ttl: record.ttl, formerTtl: stored.ttl }]
        : [];
    }),
  } satisfies Difference;
}

/** How many records differ. */
export function sizeOf({ added, removed, changed }: Difference): number {
  return added.length + removed.length + changed.length;
}
