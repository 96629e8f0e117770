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

/**
 * The columns that a record is hashed with. They are named since another column may come, of which the records before it
 * have nothing in their hashes.
 */
const HASHED = [
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
  return canonicalJson({ ...Object.fromEntries(HASHED.map((name) => [name, record[name]])), position });
}

/** The hash of what comes after `previous` in a chain. */
export function nextHash(previous: Uint8Array, text: string): Buffer {
  return createHash('sha256').update(previous).update(text).digest();
}
