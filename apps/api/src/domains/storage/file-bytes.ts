import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Pieces } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Queue } from '../../platform/jobs.ts';
import type { ByteRange, ObjectStore } from '../../platform/object-store/object-store.ts';
import { JoinedBytes } from './joined-bytes.ts';

/** Keys of files' bytes begin so. */
export const FILE_OBJECTS = 'files/';

/** Where the object store has a file's bytes: one object, or several whose bytes follow one another. */
export interface BytesPlace {
  objectKey: string;
  pieces: Pieces | null;
}

/** What deletes bytes: an object, or of one in pieces those named; or any objects of the store. */
export type BytesDeletion = Queue<BytesToDelete>;
export type BytesToDelete = { objectKey: string; names?: readonly string[] } | { keys: readonly string[] };

/** Pieces, or objects, that one job deletes. */
const DELETED_AT_ONCE = 500;

/** The object of one piece. */
export function pieceKey(objectKey: string, name: string): string {
  return `${objectKey}/${name}`;
}

/** What of each piece is in a range of them all. */
function spansOf(
  { objectKey, pieces }: { objectKey: string; pieces: Pieces },
  { start, end }: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
): { key: string; range: ByteRange }[] {
  let before = 0;
  return pieces.flatMap(({ name, size }) => {
    const range = { start: Math.max(start - before, 0), end: Math.min(end - before, size - 1) };
    before += size;
    return range.start <= range.end ? [{ key: pieceKey(objectKey, name), range }] : [];
  });
}

/**
 * Opens a file's bytes, whole or a range that lies within them; undefined where the store has lost them. The caller
 * reads the stream or destroys it. Of bytes in pieces only the first is open at once, so that the stream fails where
 * they are deleted while it is read.
 */
export async function openBytes(
  objects: Pick<ObjectStore, 'get'>,
  { objectKey, pieces }: BytesPlace,
  range?: ByteRange,
): Promise<Readable | undefined> {
  if (pieces === null) return objects.get(objectKey, range);
  const [first, ...rest] = spansOf({ objectKey, pieces }, range);
  if (!first) return Readable.from([]);
  const opened = await objects.get(first.key, first.range);
  if (!opened) return undefined;
  if (rest.length === 0) return opened;
  const openNext = async ({ key, range }: (typeof rest)[number]) => {
    const next = await objects.get(key, range);
    if (!next) throw new Error(`the piece ${key} of a file is missing`);
    return next;
  };
  return new JoinedBytes(
    opened,
    rest.map((span) => () => openNext(span)),
  );
}

/** Milliseconds for which a transaction waits for the store. */
const SOON = 500;

class NotYetKept extends Error {
  override readonly name = 'NotYetKept';
}

/**
 * Runs a transaction that refers to a received object while the store is still at it: the last that `work` does in it is to
 * wait for `isKept`. Where the disk is slow, the transaction, which holds the account and a connection, is undone, and run
 * again once the object is kept.
 */
export async function whileKeeping<T>(
  kept: Promise<void>,
  work: (isKept: () => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    return await work(() => keptSoon(kept));
  } catch (error) {
    if (!(error instanceof NotYetKept)) throw error;
  }
  await kept;
  return work(() => kept);
}

async function keptSoon(kept: Promise<void>): Promise<void> {
  const settled = new AbortController();
  const late = wait(SOON, undefined, { signal: settled.signal }).then(() => {
    throw new NotYetKept('The store is still at it.');
  });
  try {
    await Promise.race([kept, late]);
  } finally {
    settled.abort();
  }
}

/** Deletes an object that a store received and no row will refer to. */
export async function dropReceived(
  objects: Pick<ObjectStore, 'delete'>,
  { objectKey, kept }: { objectKey: string; kept: Promise<void> },
): Promise<void> {
  // It would come back where the store is still at it.
  await kept.catch(() => {});
  await objects.delete(objectKey);
}

/** Deletes bytes once `trx` is committed, `after` seconds later. Rows may not refer to them any more. */
export async function deleteBytes(
  trx: Kysely<Database>,
  deletion: Pick<BytesDeletion, 'enqueue'>,
  { objectKey, pieces }: { objectKey: string; pieces: readonly { name: string }[] | null },
  options: { after?: number } = {},
): Promise<void> {
  if (pieces === null) return deletion.enqueue(trx, { objectKey }, options);
  for (let at = 0; at < pieces.length; at += DELETED_AT_ONCE) {
    const names = pieces.slice(at, at + DELETED_AT_ONCE).map(({ name }) => name);
    await deletion.enqueue(trx, { objectKey, names }, options);
  }
}

/** The same for many. */
export async function deleteAllBytes(
  trx: Kysely<Database>,
  deletion: Pick<BytesDeletion, 'enqueue'>,
  places: readonly BytesPlace[],
  options: { after?: number } = {},
): Promise<void> {
  const keys = places.flatMap(
    ({ objectKey, pieces }) => pieces?.map(({ name }) => pieceKey(objectKey, name)) ?? [objectKey],
  );
  for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
    await deletion.enqueue(trx, { keys: keys.slice(at, at + DELETED_AT_ONCE) }, options);
  }
}
