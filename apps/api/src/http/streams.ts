import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

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
