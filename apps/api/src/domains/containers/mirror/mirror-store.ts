import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { ByteRange, Bytes, ExpectedDigest } from '../../../platform/object-store/object-store.ts';
import { oldObjects } from '../../../platform/object-store/old-objects.ts';
import type { Platform } from '../../../platform/platform.ts';
import { blobKey, digestOfKey, parseDigest } from '../registry/digest.ts';

type Stores = Pick<Platform, 'db' | 'objects'>;

/** What a digest names: a blob, or a manifest with its type. */
export interface Mirrored {
  digest: string;
  /** Bytes. */
  size: number;
  /** '' for blobs. */
  mediaType: string;
}

/** Where the object store keeps what is mirrored: apart from what people have pushed, whose plans are charged with it. */
export const MIRROR_OBJECTS = 'mirror/';

/** An instant of use is written anew at most this often. */
const USED_EVERY = sql`interval '10 minutes'`;

/** Of what is evicted, so that the next one to be stored has room. */
const EVICTED_AT_ONCE = 50;

function textOf({ algorithm, hex }: ExpectedDigest): string {
  return `${algorithm}:${hex}`;
}

export function mirroredKey(expected: ExpectedDigest): string {
  return MIRROR_OBJECTS + blobKey(expected);
}

/** What is kept of a digest, and its bytes with it. Asking for it counts as its use. */
export async function findMirrored(
  { db, objects }: Stores,
  expected: ExpectedDigest,
): Promise<Mirrored | undefined> {
  const digest = textOf(expected);
  const found = await db
    .selectFrom('mirroredContents')
    .select(['digest', 'size', 'mediaType'])
    .where('digest', '=', digest)
    .executeTakeFirst();
  // Between the row and the bytes something else may have been evicted.
  if (!found || !(await objects.stat(mirroredKey(expected)))) return undefined;
  await db
    .updateTable('mirroredContents')
    .set({ usedAt: sql<string>`now()` })
    .where('digest', '=', digest)
    .where('usedAt', '<', sql<string>`now() - ${USED_EVERY}`)
    .execute();
  return found;
}

/** Opens the bytes; undefined where they are not there any more. */
export function readMirrored(
  { objects }: Pick<Stores, 'objects'>,
  expected: ExpectedDigest,
  range?: ByteRange,
): Promise<Readable | undefined> {
  return objects.get(mirroredKey(expected), range, { throughProcess: true });
}

/** Stores what `source` yields, which throws at its end unless it is what the digest says. */
export async function storeMirrored(
  { db, objects }: Stores,
  { expected, mediaType, source }: { expected: ExpectedDigest; mediaType: string; source: Bytes },
): Promise<void> {
  const { size } = await objects.put(mirroredKey(expected), source);
  await db
    .insertInto('mirroredContents')
    .values({ digest: textOf(expected), size, mediaType })
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet({ usedAt: sql<string>`now()`, ...(mediaType && { mediaType }) }),
    )
    .execute();
}

/** Deletes what was not used for longest until the rest has at most `limit` bytes. */
export async function evict({ db, objects }: Stores, limit: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ digest: string }>`
      with excess as (select coalesce(sum(size), 0) - ${limit}::bigint as bytes from mirrored_contents),
      oldest as (
        select digest, sum(size) over (order by used_at, digest) - size as before
        from mirrored_contents order by used_at, digest limit ${EVICTED_AT_ONCE}
      )
      delete from mirrored_contents where digest in (
        select digest from oldest, excess where before < excess.bytes
      )
      returning digest`.execute(db);
    for (const { digest } of rows) {
      const expected = parseDigest(digest);
      if (expected) await objects.delete(mirroredKey(expected));
    }
    if (rows.length < EVICTED_AT_ONCE) return;
  }
}

/** Deletes what is not as it came: it is fetched once more where somebody pulls it. */
export async function forgetMirrored({ db, objects }: Stores, digest: string): Promise<void> {
  const expected = parseDigest(digest);
  await db.deleteFrom('mirroredContents').where('digest', '=', digest).execute();
  if (expected) await objects.delete(mirroredKey(expected));
}

/** Deletes bytes that a crash left without a row. */
export async function sweepMirrored({ db, objects }: Stores): Promise<void> {
  for await (const keys of oldObjects(objects, MIRROR_OBJECTS)) {
    const stored = keys.map((key) => ({ key, digest: digestOfKey(key.slice(MIRROR_OBJECTS.length)) }));
    const digests = stored.flatMap(({ digest }) => digest ?? []);
    const rows = await db
      .selectFrom('mirroredContents')
      .select('digest')
      .where('digest', '=', sql<string>`any(${digests}::text[])`)
      .execute();
    const known = new Set(rows.map(({ digest }) => digest));
    for (const { key, digest } of stored) {
      if (digest !== undefined && !known.has(digest)) await objects.delete(key);
    }
  }
}
