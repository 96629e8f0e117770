import { createHash } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';

type RecordRow = Selectable<Database['auditRecords']>;

/** What a chain begins with. */
export const GENESIS = Buffer.alloc(32);

/** JSON with the members of each object in the order of their names: the same values give the same text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The text that a record is hashed as, its place included: exported files have it as it is. */
export function textOf({ hash: _, ...record }: RecordRow, position: number): string {
  return canonicalJson({ ...record, position });
}

/** The hash of what comes after `previous` in a chain. */
export function nextHash(previous: Uint8Array, text: string): Buffer {
  return createHash('sha256').update(previous).update(text).digest();
}
