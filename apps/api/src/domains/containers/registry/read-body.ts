import type { FastifyRequest } from 'fastify';
import { readBody } from '../../../http/raw-body.ts';
import { RegistryError } from './registry-error.ts';

function tooLarge(limit: number): RegistryError {
  return new RegistryError({
    status: 413,
    code: 'SIZE_INVALID',
    message: `The body can have at most ${limit} bytes.`,
  });
}

/**
 * Gives the memory of a piece back at once. Node allocates each piece of a body by itself; left to the collector, an
 * upload of gigabytes costs it as much time as everything else together.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * A request's body as it arrives, each piece only until the next one is asked for. Throws what `refuse` makes, by itself
 * SIZE_INVALID (413), as soon as it is longer than `limit` bytes.
 */
export async function* streamBody(
  request: FastifyRequest,
  limit = Number.POSITIVE_INFINITY,
  refuse: () => Error = () => tooLarge(limit),
): AsyncGenerator<Uint8Array> {
  for await (const chunk of readBody(request, limit, refuse)) {
    yield chunk;
    release(chunk);
  }
}

/** A request's whole body, under the rules of `streamBody`. */
export async function readWholeBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamBody(request, limit)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
