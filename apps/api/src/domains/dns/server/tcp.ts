import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Responder } from './responder.ts';
import { serveTcpConnection, type TcpConnection } from './tcp-connection.ts';

export interface TcpServer {
  address(): AddressInfo | string | null;
  close(): Promise<void>;
}

interface Taken {
  address: string;
  connection: TcpConnection;
}

export interface TcpLimits {
  /** Connections at once, of all and of one address; a further one takes the place of the one that was idle longest. */
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds between two whole questions, or until an answer is taken. */
  idle: number;
}

/** RFC 7766 §6.2.2 and §6.2.3: seconds, and bounds of the server's own. */
export const TCP_LIMITS: TcpLimits = { connections: 512, connectionsPerAddress: 64, idle: 10_000 };

const BACKLOG = 511;
const SWEEPS_PER_IDLE = 10;

/** The connections of a server, held to its limits. */
function createConnections(responder: Responder, limits: TcpLimits) {
  const taken = new Set<Taken>();

  function closeIdlest(among: readonly Taken[]): void {
    const idlest = among.reduce((one, other) =>
      other.connection.activeAt() < one.connection.activeAt() ? other : one,
    );
    taken.delete(idlest);
    idlest.connection.close();
  }

  return {
    accept(socket: Socket): void {
      const address = socket.remoteAddress ?? '';
      const ofAddress = [...taken].filter((other) => other.address === address);
      // Whoever comes now has a question; who is idle longest may have none any more.
      if (ofAddress.length >= limits.connectionsPerAddress) closeIdlest(ofAddress);
      else if (taken.size >= limits.connections) closeIdlest([...taken]);
      const one = { address, connection: serveTcpConnection(socket, responder) };
      taken.add(one);
      socket.once('close', () => taken.delete(one));
    },
    /** Closes those that were not active since `instant`, in milliseconds of `performance.now`. */
    closeIdleSince(instant: number): void {
      for (const { connection } of taken) if (connection.activeAt() < instant) connection.close();
    },
  };
}

/** Answers on an IP address; throws where it cannot be bound. `fd` is a socket that listens there already. */
export async function openTcp(
  responder: Responder,
  { host, port, fd }: { host: string; port: number; fd?: number | undefined },
  limits: TcpLimits,
): Promise<TcpServer> {
  const connections = createConnections(responder, limits);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, connections.accept);
  server.listen({ ...(fd === undefined ? { host, port } : { fd }), backlog: BACKLOG });
  await once(server, 'listening');
  // From here on, errors are of single connections: there are no more file descriptors, say.
  server.on('error', () => {});
  const sweep = setInterval(
    () => connections.closeIdleSince(performance.now() - limits.idle),
    limits.idle / SWEEPS_PER_IDLE,
  );
  return {
    address: () => server.address(),
    close: () => {
      clearInterval(sweep);
      connections.closeIdleSince(Number.POSITIVE_INFINITY);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
