import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { conflict, type Refusal } from '../../core/errors.ts';
import type { FileRow } from './service.ts';

/** Where a file is shown. Names are not unique, so several may be in the same place. */
type Place = Pick<FileRow, 'filePath' | 'fileName'> & {
  /** Absent: that of the console's files. */ bucketId?: string | undefined;
};
/** A place, and the id of the file that is itself in nobody's way. */
type Sought = Place & { otherThan?: string };

const MAX_NAME_BYTES = 255;
/** Names that are looked up at first, and at most at a time. */
const TRIED_FIRST = 50;
const TRIED_AT_ONCE = 3200;

/** The bucket of someone's console, once they have one. */
function uploadsOf(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom('buckets').select('id').where('ownerId', '=', ownerId).where('name', '=', 'uploads');
}

/** Someone's files in any of the places of one folder. The digest finds them by the index. */
function filesIn(
  db: Kysely<Database>,
  ownerId: string,
  { filePath, bucketId }: Omit<Place, 'fileName'>,
  names: readonly string[],
) {
  const digests = sql<string>`md5(file_path || file_name)`;
  return db
    .selectFrom('storedFiles')
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId ?? uploadsOf(db, ownerId))
    .where(
      digests,
      'in',
      names.map((name) => sql<string>`md5(${filePath}::text || ${name}::text)`),
    )
    .where('filePath', '=', filePath)
    .where('fileName', 'in', names);
}

/**
 * The newest of someone's files in a place, but for `otherThan`, as a query: whoever goes on to change that file locks
 * it, and the account before it, as everybody does.
 */
export function fileAt(db: Kysely<Database>, ownerId: string, { fileName, otherThan, ...folder }: Sought) {
  return filesIn(db, ownerId, folder, [fileName])
    .$if(otherThan !== undefined, (files) => files.where('id', '<>', otherThan ?? ''))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1);
}

/** 409, with the file that is there. */
export function fileExists({ id, fileName, filePath }: FileRow): Refusal {
  return conflict('FILE_EXISTS', `${fileName} already exists in ${filePath}.`, id);
}

/** The first name in the row of `notes.txt`, `notes (2).txt`, … that is free in a folder, or is `otherThan`'s. */
export async function freeName(
  db: Kysely<Database>,
  ownerId: string,
  { fileName, otherThan, ...folder }: Sought,
): Promise<string> {
  for (let first = 0; ; ) {
    // Each time as many as before together, so that a thousand of one name cost six queries.
    const tried = Math.min(Math.max(first, TRIED_FIRST), TRIED_AT_ONCE);
    const names = Array.from({ length: tried }, (_, at) => nthName(fileName, first + at));
    const rows = await filesIn(db, ownerId, folder, names)
      .$if(otherThan !== undefined, (files) => files.where('id', '<>', otherThan ?? ''))
      .select('fileName')
      .execute();
    const taken = new Set(rows.map((row) => row.fileName));
    const free = names.find((name) => !taken.has(name));
    if (free !== undefined) return free;
    first += tried;
  }
}

const PARTS = /^(?<stem>.+?)(?: \((?<number>[1-9]\d{0,8})\))?(?<extension>(?:\.tar)?\.[^.\s]{1,16})?$/u;

/** The beginning of a text that has at most so many bytes, without half a character. */
function beginningOf(text: string, bytes: number): string {
  const all = Buffer.from(text);
  if (all.length <= bytes) return text;
  let end = bytes;
  while (((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return all.toString('utf8', 0, end);
}

/** A name cut to so many bytes, its extension kept. */
export function fitName(fileName: string, bytes: number): string {
  if (Buffer.byteLength(fileName) <= bytes) return fileName;
  const { extension = '' } = PARTS.exec(fileName)?.groups ?? {};
  const stem = fileName.slice(0, fileName.length - extension.length);
  return beginningOf(stem, bytes - Buffer.byteLength(extension)) + extension;
}

/** The name itself, then numbered from 2 on, or from the number that it has; cut where it would get too long. */
export function nthName(fileName: string, nth: number): string {
  if (nth === 0) return fileName;
  const { stem = fileName, number = '1', extension = '' } = PARTS.exec(fileName)?.groups ?? {};
  const end = ` (${Number(number) + nth})${extension}`;
  return beginningOf(stem, MAX_NAME_BYTES - Buffer.byteLength(end)) + end;
}
