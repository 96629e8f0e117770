import type { EditedRecord } from '../record-edits.ts';
import type { ZoneRecord } from '../zone-rules.ts';

/** A record that the zone has. */
export interface StoredRecord extends ZoneRecord {
  id: string;
}

/** What lies between two states of a zone. */
export interface Difference {
  /** With the id of the stored record that became it, if one did. */
  added: readonly EditedRecord[];
  removed: readonly StoredRecord[];
  /** With their new TTL. */
  changed: readonly (StoredRecord & { formerTtl: number })[];
}

/** What makes a record the same one, whatever its TTL. */
export function keyOf({ name, recordType, value }: ZoneRecord): string {
  return JSON.stringify([name, recordType, value]);
}

export function differenceOf(before: readonly StoredRecord[], after: readonly EditedRecord[]) {
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

/** Of what was added, stored records that became another one. */
export function rewrittenOf({ added, removed }: Difference): StoredRecord[] {
  const gone = new Set(removed.map(({ id }) => id));
  return added.flatMap(({ id, ...record }) => (id !== undefined && gone.has(id) ? [{ ...record, id }] : []));
}

/** How many records differ. */
export function sizeOf({ added, removed, changed }: Difference): number {
  return added.length + removed.length + changed.length;
}
