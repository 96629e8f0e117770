import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { rateLimited } from '../errors.ts';

/** Streams that one person may have open at once on one replica. */
const MOST_STREAMS = 32;
/** Seconds after which a refused stream may be asked for again. */
const RETRY_SECONDS = 10;

/** How many streams each person reads, so that nobody holds the server's memory and database for themselves. */
export interface StreamCount {
  /** Counts one until `signal` aborts. Throws 429 when the person has as many as allowed. */
  begin(userId: string, signal: AbortSignal | undefined): void;
}

export function createStreamCount(): StreamCount {
  const open = new Map<string, number>();
  return {
    begin(userId, signal) {
      const count = (open.get(userId) ?? 0) + 1;
      if (count > MOST_STREAMS) throw rateLimited(RETRY_SECONDS);
      if (!signal || signal.aborted) return;
      open.set(userId, count);
      const end = () => {
        const rest = (open.get(userId) ?? 1) - 1;
        if (rest > 0) open.set(userId, rest);
        else open.delete(userId);
      };
      signal.addEventListener('abort', end, { once: true });
    },
  };
}

/** Ends open event streams when the server closes; they would otherwise hold it open for as long as they are read. */
export function endStreamsOnClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.addHook('onRequest', async (request) => {
    if (!request.headers.accept?.includes('text/event-stream')) return;
    const { socket } = request.raw;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy();
  });
}
