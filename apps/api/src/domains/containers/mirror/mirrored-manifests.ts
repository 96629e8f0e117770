import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { ExpectedDigest } from '../../../platform/object-store/object-store.ts';
import type { Reference } from '../registry/address.ts';
import { digestOf, parseDigest } from '../registry/digest.ts';
import { MANIFEST_MAX, MANIFEST_TYPES, parseManifest } from '../registry/manifest.ts';
import { manifestUnknown } from '../registry/registry-error.ts';
import type { Mirror } from './mirror.ts';
import { findMirrored, type Mirrored, readMirrored, storeMirrored } from './mirror-store.ts';
import { readAll, type UpstreamAnswer, UpstreamAway } from './upstream.ts';

/** For how long a tag is taken to name what it did when the other registry was asked last. */
const FRESH = sql`interval '5 minutes'`;

/** For how long it is taken so where that registry is away, so that not every pull waits for it. */
const STALE = sql`interval '30 seconds'`;

const ACCEPT = MANIFEST_TYPES.join(', ');

export type MirroredManifest = Mirrored & { content: Buffer };

/**
 * A manifest of the other registry. What a tag names is asked again after some minutes, and is what it was where the other
 * registry is away. Throws MANIFEST_UNKNOWN; rejects with `UpstreamAway`.
 */
export async function findManifest(
  mirror: Mirror,
  name: string,
  reference: Reference,
): Promise<MirroredManifest> {
  if ('digest' in reference) {
    return (await readKept(mirror, reference.expected)) ?? fetchManifest(mirror, name, reference);
  }
  const { tag } = reference;
  const known = await readTag(mirror.db, name, tag);
  const kept = known && (await readKept(mirror, referenceOf(known.digest).expected));
  if (kept && known.isFresh) return kept;
  try {
    const { digest } = await askTag(mirror, { name, tag, known: kept });
    const found = kept?.digest === digest ? kept : await findManifest(mirror, name, referenceOf(digest));
    await setTag(mirror.db, { name, tag, digest });
    return found;
  } catch (error) {
    if (!kept || !(error instanceof UpstreamAway)) throw error;
    await setTag(mirror.db, { name, tag, digest: kept.digest, isStale: true });
    return kept;
  }
}

type ByDigest = Extract<Reference, { digest: string }>;

/** Rejects with `UpstreamAway` what is no digest. */
function referenceOf(digest: string): ByDigest {
  const expected = parseDigest(digest);
  if (!expected) throw new UpstreamAway('it tells no digest');
  return { digest, expected };
}

async function readKept(mirror: Mirror, expected: ExpectedDigest): Promise<MirroredManifest | undefined> {
  const found = await findMirrored(mirror, expected);
  // Bytes that were pulled as a blob are no manifest of ours until they are pulled as one.
  if (!found || found.mediaType === '') return undefined;
  const stream = await readMirrored(mirror, expected);
  return stream && { ...found, content: await buffer(stream) };
}

/** The digest that a tag has there now. */
async function askTag(
  mirror: Mirror,
  { name, tag, known }: { name: string; tag: string; known: Mirrored | undefined },
): Promise<{ digest: string }> {
  const asked = { name, path: `manifests/${tag}`, accept: ACCEPT };
  const first = await mirror.ask({ ...asked, method: known ? 'HEAD' : 'GET' });
  await assertFound(first, tag);
  if (known) await first.body.dump();
  const told = first.headers['docker-content-digest'];
  if (known && typeof told === 'string') return { digest: told };
  // Registries need not say the digest of a tag, and then it is that of what they send.
  const answer = known ? await mirror.ask({ ...asked, method: 'GET' }) : first;
  await assertFound(answer, tag);
  const content = await readAll(answer.body, MANIFEST_MAX);
  const reference = referenceOf(digestOf(content, 'sha256'));
  return keep(mirror, reference, { content, type: answer.headers['content-type'] });
}

async function fetchManifest(mirror: Mirror, name: string, reference: ByDigest): Promise<MirroredManifest> {
  const { digest } = reference;
  const path = `manifests/${digest}`;
  const answer = await mirror.ask({ method: 'GET', name, path, accept: ACCEPT });
  await assertFound(answer, digest);
  return keep(mirror, reference, {
    content: await readAll(answer.body, MANIFEST_MAX),
    type: answer.headers['content-type'],
  });
}

/** Rejects with `UpstreamAway` where the bytes are not what the digest says, or no manifest. */
async function keep(
  mirror: Mirror,
  { digest, expected }: ByDigest,
  { content, type }: { content: Buffer; type: string | string[] | undefined },
): Promise<MirroredManifest> {
  if (digestOf(content, expected.algorithm) !== digest) throw new UpstreamAway('it sends other bytes');
  const mediaType = typeOf(content, typeof type === 'string' ? type : undefined);
  await storeMirrored(mirror, { expected, mediaType, source: Readable.from([content]) });
  return { digest, mediaType, size: content.length, content };
}

function typeOf(content: Buffer, type: string | undefined): string {
  try {
    return parseManifest(content, type).mediaType;
  } catch (cause) {
    throw new UpstreamAway('it sends no manifest', { cause });
  }
}

/** What a registry says to strangers of what is private is that it is not there. */
export function isAbsent(status: number): boolean {
  return status === 404 || status === 401 || status === 403;
}

async function assertFound({ statusCode, body }: UpstreamAnswer, reference: string): Promise<void> {
  if (statusCode === 200) return;
  await body.dump();
  if (isAbsent(statusCode)) throw manifestUnknown(reference);
  throw new UpstreamAway(`it answers with HTTP ${statusCode}`);
}

function readTag(db: Kysely<Database>, name: string, tag: string) {
  return db
    .selectFrom('mirroredTags')
    .select('digest')
    .select(sql<boolean>`checked_at > now() - ${FRESH}`.as('isFresh'))
    .where('name', '=', name)
    .where('tag', '=', tag)
    .executeTakeFirst();
}

async function setTag(
  db: Kysely<Database>,
  { name, tag, digest, isStale = false }: { name: string; tag: string; digest: string; isStale?: boolean },
): Promise<void> {
  const checkedAt = isStale ? sql<string>`now() - ${FRESH} + ${STALE}` : sql<string>`now()`;
  const checked = { digest, checkedAt };
  await db
    .insertInto('mirroredTags')
    .values({ name, tag, ...checked })
    .onConflict((conflict) => conflict.columns(['name', 'tag']).doUpdateSet(checked))
    .execute();
}
