import type { IncomingMessage } from 'node:http';
import { RegistryError } from './registry-error.ts';

/** Milliseconds after which a client that sends nothing is cut off. */
const IDLE_MS = 30_000;

/** A request's body as it arrives; a client that stops sending is cut off, which ends this with an error. */
export async function* streamBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  const idle = setTimeout(() => request.destroy(new Error('The client stopped sending.')), IDLE_MS);
  try {
    for await (const chunk of request) {
      yield chunk as Buffer;
      idle.refresh();
    }
  } finally {
    clearTimeout(idle);
  }
}

/** A request's whole body. Throws SIZE_INVALID (413) as soon as it is longer than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new RegistryError({
      status: 413,
      code: 'SIZE_INVALID',
      message: `The body can have at most ${limit} bytes.`,
    });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of streamBody(request)) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
