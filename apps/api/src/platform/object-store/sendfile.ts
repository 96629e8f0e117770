import { closeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { countBytes } from '../bytes-written.ts';
import { systemCalls } from '../system-calls.ts';

/** Calls at a time. Each takes a thread of the pool, and koffi allows 64. */
const MOST_CALLS = 16;

/** Sends bytes of a file to the client of a response, from the kernel's memory to the kernel's memory. */
export interface FileSender {
  /**
   * Sends as many of `count` bytes of an open file as the client takes at once, and resolves to their number. None: the
   * client has to be waited for, the file has ended, or something is wrong, which ordinary writing then meets.
   */
  send(file: number, start: number, count: number): Promise<number>;
}

let calls = 0;

/**
 * The descriptor of a plain connection. Node documents no way to it; what is not as it is known here is none. TLS and
 * whatever else changes the bytes on their way must have none.
 */
function descriptorOf(socket: Socket): number {
  if (socket instanceof TLSSocket || socket.destroyed) return -1;
  const handle: unknown = Reflect.get(socket, '_handle');
  if (!(handle instanceof Object) || handle.constructor.name !== 'TCP') return -1;
  const descriptor: unknown = Reflect.get(handle, 'fd');
  return typeof descriptor === 'number' ? descriptor : -1;
}

/**
 * What sends files into this response, whose body has to be of a known length and the file's bytes as they are.
 * Undefined where that cannot be: then they are written as anything else is.
 */
export async function fileSender(response: ServerResponse): Promise<FileSender | undefined> {
  const { socket } = response;
  const isPlain = response.hasHeader('content-length') && !response.hasHeader('transfer-encoding');
  // A response that waits for the one before it has no socket yet.
  if (!isPlain || response.req.method === 'HEAD' || !(socket instanceof Socket)) return undefined;
  if (descriptorOf(socket) < 0) return undefined;
  const system = await systemCalls();
  if (!system) return undefined;
  return {
    async send(file, start, count) {
      const waits = socket.writableLength > 0 || response.writableLength > 0;
      if (waits || response.socket !== socket || calls >= MOST_CALLS) return 0;
      const descriptor = descriptorOf(socket);
      if (descriptor < 0) return 0;
      // The socket may be closed while a thread sends, and its number be another client's by then: this one stays ours.
      const own = system.duplicate(descriptor);
      if (own < 0) return 0;
      calls += 1;
      try {
        const moved = Math.max(0, await system.sendfile(own, file, start, count));
        countBytes(socket, moved);
        return moved;
      } finally {
        calls -= 1;
        closeSync(own);
      }
    },
  };
}
