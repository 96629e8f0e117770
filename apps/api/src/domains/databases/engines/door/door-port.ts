import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { isLoopbackHost } from '../../../../core/env.ts';
import { LOOPBACK } from '../listening.ts';
import { type Connection, createConnections } from './connections.ts';

/** The one port of all databases of a type. */
export interface DoorPort {
  /** Takes the port on loopback and on `host`; 0 takes a free one. Rejects where it cannot be had. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface DoorPortParts {
  /** Takes up a client that was let through; an error of its socket is nobody's. */
  greet(socket: Socket, connection: Connection): void;
  log: Logger;
}

const KEEP_ALIVE = 60_000;

export function createDoorPort({ greet, log }: DoorPortParts): DoorPort {
  const listeners: Server[] = [];
  const connections = createConnections();

  function take(socket: Socket): void {
    socket.on('error', () => {});
    const connection = connections.take(socket);
    if (!connection) return void socket.destroy();
    greet(socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE), connection);
  }

  async function open(host: string, port: number): Promise<number> {
    const server = createServer(take);
    server.listen({ host, port });
    await once(server, 'listening');
    server.on('error', (error) => log.error({ err: error }, 'the port of databases failed'));
    listeners.push(server);
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async function close(): Promise<void> {
    const closed = listeners.splice(0).map((server) => {
      server.close();
      return once(server, 'close');
    });
    connections.destroyAll();
    await Promise.all(closed);
  }

  return {
    async listen({ host, port }) {
      try {
        const everywhere = host === '0.0.0.0' || host === '::';
        const taken = await open(everywhere ? host : LOOPBACK, port);
        if (!everywhere && !isLoopbackHost(host)) await open(host, taken);
        return taken;
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

/** The certificate for a name; undefined for no name: that of the console itself. */
export type FindDoorCertificate = (name: string | undefined) => SecureContext | undefined;

/** The same, undefined also where its key cannot be used. */
export function usableCertificates(find: FindDoorCertificate, log: Logger): FindDoorCertificate {
  return (name) => {
    try {
      return find(name);
    } catch (error) {
      log.error({ err: error, name }, 'a certificate could not be used');
      return undefined;
    }
  };
}
