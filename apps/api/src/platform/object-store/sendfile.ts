import { closeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { countBytes } from '../bytes-written.ts';

/** Of fcntl(2), on Linux: another descriptor of the same socket, which programs that we start do not inherit. */
const F_DUPFD_CLOEXEC = 1030;
/** Calls at a time. Each takes a thread of the pool, and koffi allows 64. */
const MOST_CALLS = 16;

interface SystemCalls {
  /** The new descriptor, or -1. */
  duplicate(descriptor: number): number;
  /** How many bytes the socket took, or -1. */
  sendfile(socket: number, file: number, start: number, count: number): Promise<number>;
}

/** Sends bytes of a file to the client of a response, from the kernel's memory to the kernel's memory. */
export interface FileSender {
  /**
   * Sends as many of `count` bytes of an open file as the client takes at once, and resolves to their number. None: the
   * client has to be waited for, the file has ended, or something is wrong, which ordinary writing then meets.
   */
  send(file: number, start: number, count: number): Promise<number>;
}

async function loadSystemCalls(): Promise<SystemCalls | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const { default: koffi } = await import('koffi');
    const system = koffi.load(null);
    const duplicate = system.func('int fcntl(int descriptor, int command, ...)');
    const sendfile = system.func(
      'intptr_t sendfile64(int socket, int file, _Inout_ int64_t *start, size_t count)',
    );
    return {
      duplicate: (descriptor) => duplicate(descriptor, F_DUPFD_CLOEXEC, 'int', 0),
      sendfile: (socket, file, start, count) =>
        new Promise((resolve, reject) => {
          sendfile.async(socket, file, [start], count, (error: Error | null, moved: number) => {
            if (error) reject(error);
            else resolve(moved);
          });
        }),
    };
  } catch {
    // An install without the optional package, or a system that it is not built for.
    return undefined;
  }
}

let loading: Promise<SystemCalls | undefined> | undefined;
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
  loading ??= loadSystemCalls();
  const system = await loading;
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
