import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Responder } from './responder.ts';
import { serveTcpConnection, type TcpConnection } from './tcp-connection.ts';

export interface TcpServer {
  close(): Promise<void>;
}

export interface TcpLimits {
  /** Connections at once; a further one takes the place of the one that was idle longest. */
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds between two whole questions, or until an answer is taken. */
  idle: number;
}

/** RFC 7766 §6.2.2 and §6.2.3: seconds, and bounds of the server's own. */
export const TCP_LIMITS: TcpLimits = { connections: 512, connectionsPerAddress: 64, idle: 10_000 };

const BACKLOG = 511;
const SWEEPS_PER_IDLE = 10;

/** Answers on an IP address; throws where it cannot be bound. */
export async function openTcp(
  responder: Responder,
  { host, port }: { host: string; port: number },
  limits: TcpLimits,
): Promise<TcpServer> {
  const connections = new Map<Socket, TcpConnection>();
  const perAddress = new Map<string, number>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);

  function accept(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const count = (perAddress.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    if (connections.size >= limits.connections) closeIdlest();
    perAddress.set(address, count);
    connections.set(socket, serveTcpConnection(socket, responder));
    socket.once('close', () => {
      connections.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  }

  function closeIdlest(): void {
    const idlest = [...connections].reduce((one, other) =>
      other[1].activeAt() < one[1].activeAt() ? other : one,
    );
    connections.delete(idlest[0]);
    idlest[1].close();
  }

  const sweep = setInterval(() => {
    const oldest = performance.now() - limits.idle;
    for (const connection of connections.values()) if (connection.activeAt() < oldest) connection.close();
  }, limits.idle / SWEEPS_PER_IDLE);

  server.listen({ host, port, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    clearInterval(sweep);
    throw error;
  }
  // From here on, of single connections: there are no more file descriptors, say.
  server.on('error', () => {});
  return {
    close: () => {
      clearInterval(sweep);
      for (const connection of connections.values()) connection.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
