import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { ExpectedDigest } from '../../../platform/object-store/object-store.ts';
import { blobUnknown, RegistryError } from '../registry/registry-error.ts';
import { type Mirror, refusalOf } from './mirror.ts';
import { evict, storeMirrored } from './mirror-store.ts';
import { isAbsent } from './mirrored-manifests.ts';
import { UpstreamAway } from './upstream.ts';

interface Wanted {
  name: string;
  digest: string;
  expected: ExpectedDigest;
}

/** Bytes of a blob that is not kept yet. Throws BLOB_UNKNOWN; rejects with `UpstreamAway`. */
export async function measureBlob(mirror: Mirror, wanted: Wanted): Promise<number> {
  const { size, body } = await ask(mirror, 'HEAD', wanted);
  await body.dump();
  return size;
}

/**
 * A blob as it arrives from the other registry, stored on its way. The last piece is given once all of it is stored and
 * was found to be what its digest says: whatever else breaks off. Throws as `measureBlob`.
 */
export async function fetchBlob(
  mirror: Mirror,
  wanted: Wanted,
): Promise<{ size: number; content: Readable }> {
  const { size, body } = await ask(mirror, 'GET', wanted);
  const done = await takeRoom(mirror, size).catch(async (error) => {
    await body.dump();
    throw error;
  });
  const content = new PassThrough({ highWaterMark: 1024 * 1024 });
  const { expected } = wanted;
  let last: Uint8Array | undefined;
  async function* verified(): AsyncGenerator<Uint8Array> {
    const hash = createHash(expected.algorithm);
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      hash.update(piece);
      yield piece;
      if (last && !content.write(last)) await once(content, 'drain', { signal: gone.signal });
      last = piece;
    }
    if (hash.digest('hex') !== expected.hex) throw new UpstreamAway('it sends other bytes');
  }
  // A client that leaves ends the pull, and nothing of it is kept.
  const gone = new AbortController();
  content.once('close', () => gone.abort());
  // It may break off before anybody listens.
  content.on('error', () => {});
  storeMirrored(mirror, { expected, mediaType: '', source: verified() })
    .then(() => content.end(last))
    .then(() => evict(mirror, mirror.limit))
    .catch((error: Error) => {
      body.destroy();
      content.destroy(error instanceof UpstreamAway ? refusalOf(error) : error);
      if (!gone.signal.aborted)
        mirror.log.warn({ err: error, digest: wanted.digest }, 'a pull through broke off');
    })
    .finally(done);
  return { size, content };
}

/** Bytes that are being stored here, which no row counts yet. */
let inFlight = 0;

/**
 * Makes room for a blob of so many bytes among what is kept, until the result is called. Refuses where all that comes at
 * the same time would not fit.
 */
async function takeRoom(mirror: Mirror, size: number): Promise<() => void> {
  if (inFlight + size > mirror.limit) {
    const isTooLarge = size > mirror.limit;
    throw new RegistryError({
      ...(isTooLarge ? { status: 413, code: 'DENIED' } : { status: 429, code: 'TOOMANYREQUESTS' }),
      message: isTooLarge
        ? 'This layer is larger than all that is kept of other registries here.'
        : 'Too much is pulled through at the moment. Try again in a minute.',
      headers: { 'retry-after': '60' },
    });
  }
  inFlight += size;
  const done = () => {
    inFlight -= size;
  };
  try {
    await evict(mirror, mirror.limit - inFlight);
    return done;
  } catch (error) {
    done();
    throw error;
  }
}

async function ask(mirror: Mirror, method: 'GET' | 'HEAD', { name, digest }: Wanted) {
  const answer = await mirror.ask({ method, name, path: `blobs/${digest}` });
  const size = Number(answer.headers['content-length'] ?? Number.NaN);
  if (answer.statusCode === 200 && Number.isSafeInteger(size)) return { size, body: answer.body };
  await answer.body.dump();
  if (isAbsent(answer.statusCode)) throw blobUnknown(digest);
  throw new UpstreamAway(`it answers with HTTP ${answer.statusCode}`);
}
