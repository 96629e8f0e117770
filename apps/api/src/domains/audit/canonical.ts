import { createHash } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';

type RecordRow = Selectable<Database['auditRecords']>;

/** What a chain begins with. */
export const GENESIS = Buffer.alloc(32);

/** With the members of each object in the order of their names, so that the same values give the same JSON. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, inner]) => [name, inOrder(inner)]));
}

/**
 * The columns that a record has from the beginning, and is hashed with. They are named since another column may come, of
 * which the records before it have nothing in their hashes.
 */
export const HASHED = [
  ...([
    'id',
    'at',
    'chain',
    'actorId',
    'actorEmail',
    'via',
    'tokenName',
    'asWhom',
    'ip',
    'requestId',
  ] as const),
  ...(['procedure', 'subjectKind', 'subjectId', 'subjectName', 'before', 'after', 'result'] as const),
] satisfies (keyof RecordRow)[];

/** The text that a record is hashed as, its place included: exported files have it as it is. */
export function textOf(record: RecordRow, position: number): string {
  const hashed = Object.fromEntries(HASHED.map((name) => [name, record[name]]));
  return JSON.stringify(inOrder({ ...hashed, position }));
}

/** The hash of what comes after `previous` in a chain. */
export function nextHash(previous: Uint8Array, text: string): Buffer {
  return createHash('sha256').update(previous).update(text).digest();
}
