import type { FastifyRequest } from 'fastify';

/** What any body gets. */
const BASE_MS = 15_000;
/** Bytes that have to arrive in that time. */
const BASE_BYTES = 64 * 1024;
/** Bytes that have to arrive in each further second. */
const BYTES_PER_SECOND = 64 * 1024;

/**
 * Cuts off a client whose body is slower than 64 KiB in 15 seconds and 64 KiB each second after that (reliability
 * F7): small bodies are over in 15 seconds, large ones may take as long as a slow line needs.
 */
export function cutSlowBody({ raw }: FastifyRequest): void {
  const { socket } = raw;
  const began = Date.now();
  const before = socket.bytesRead;
  let timer: NodeJS.Timeout;
  const check = () => {
    const further = Math.max(0, socket.bytesRead - before - BASE_BYTES);
    const left = began + BASE_MS + (further / BYTES_PER_SECOND) * 1000 - Date.now();
    if (left <= 0) raw.destroy();
    else timer = setTimeout(check, left);
  };
  timer = setTimeout(check, BASE_MS);
  const clear = () => clearTimeout(timer);
  raw.once('end', clear);
  raw.once('close', clear);
}
