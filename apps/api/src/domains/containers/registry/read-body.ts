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

/** A request's body as it arrives. Throws SIZE_INVALID (413) as soon as it is longer than `limit` bytes. */
export function streamBody(
  request: FastifyRequest,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  return readBody(request, limit, () => tooLarge(limit));
}

/** A request's whole body, under the rules of `streamBody`. */
export async function readWholeBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamBody(request, limit)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
