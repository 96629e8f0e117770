import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Bytes of bodies, all together, after which what held them is collected. */
const COLLECTED_EVERY = 4 * 1024 * 1024;

let uncollected = 0;

/**
 * Gives back the memory of a piece that was read. It is outside of V8's heap, and at about 16 MB of it V8 goes through all
 * of its heap, which takes longer than a body of 10 MB does. A large piece of HTTP/1.1 has memory of its own; others
 * share theirs, which is collected now and then: going through what is young takes a millisecond.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
    buffer.transfer(0);
    return;
  }
  uncollected += byteLength;
  if (uncollected < COLLECTED_EVERY) return;
  uncollected = 0;
  globalThis.gc?.({ type: 'minor' });
}

/**
 * A body's bytes as they arrive, each piece only until the next one is asked for; past `limit` bytes, throws what `refuse`
 * makes. Whoever stops reading may answer: what is left of the body is dropped.
 */
export async function* readBody(
  { raw, headers }: FastifyRequest,
  limit: number,
  refuse: () => Error,
): AsyncGenerator<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > limit) throw refuse();
  let size = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    // No encoding is set on the request, so its chunks are buffers.
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > limit) throw refuse();
    yield bytes;
    release(bytes);
  }
}

/** Leaves the bodies of a scope's routes to be read as they arrive. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}
