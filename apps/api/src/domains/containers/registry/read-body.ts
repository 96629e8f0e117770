import type { FastifyRequest } from 'fastify';
import { readBody } from '../../../http/raw-body.ts';
import { RegistryError } from './registry-error.ts';

/** Milliseconds after which a client that sends nothing is cut off. */
const IDLE_MS = 30_000;

function tooLarge(limit: number): RegistryError {
  return new RegistryError({
    status: 413,
    code: 'SIZE_INVALID',
    message: `The body can have at most ${limit} bytes.`,
  });
}

/**
 * A request's body as it arrives; a client that stops sending is cut off, which ends this with an error. Throws
 * SIZE_INVALID (413) as soon as it is longer than `limit` bytes.
 */
export async function* streamBody(
  request: FastifyRequest,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const { raw } = request;
  const idle = setTimeout(() => raw.destroy(new Error('The client stopped sending.')), IDLE_MS);
  try {
    for await (const chunk of readBody(request, limit, () => tooLarge(limit))) {
      yield chunk;
      idle.refresh();
    }
  } finally {
    clearTimeout(idle);
  }
}

/** A request's whole body, under the rules of `streamBody`. */
export async function readWholeBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
