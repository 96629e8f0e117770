import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * A body's bytes as they arrive; past `limit` bytes, throws what `refuse` makes. Whoever stops reading may answer: what
 * is left of the body is dropped.
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
  }
}

/** Leaves the bodies of a scope's routes to be read as they arrive. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}
