import type { FastifyRequest } from 'fastify';

/** Bytes that a client may go on sending to who has answered already. */
const MAX_DROPPED = 32 * 1024 * 1024;

/**
 * A body's bytes as they arrive; past `limit` bytes, throws what `refuse` makes. Whoever stops reading may answer: what
 * is left of the body is dropped, so that the client gets to read the answer, but not without end.
 */
export async function* readBody(
  { raw, headers }: FastifyRequest,
  limit: number,
  refuse: () => Error,
): AsyncGenerator<Uint8Array> {
  try {
    if (Number(headers['content-length'] ?? 0) > limit) throw refuse();
    let size = 0;
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      // No encoding is set on the request, so its chunks are buffers.
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > limit) throw refuse();
      yield bytes;
    }
  } finally {
    let dropped = 0;
    raw.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > MAX_DROPPED) raw.destroy();
    });
  }
}
