import { BlockList, connect, createServer, type Server } from 'node:net';
import type { Logger } from 'pino';

const LOOPBACK = '127.0.0.1';

/** Where the containers of one network reach what they were given of this machine's loopback. */
export interface MachineDoor {
  /** Has these ports of the gateway lead to the same ones of the loopback. */
  lead(ports: readonly number[]): Promise<void>;
  close(): void;
}

interface Place {
  gateway: string;
  /** Whether a peer of this address is let in. */
  admits: (address: string) => boolean;
  log: Logger;
}

export function openDoor(place: Place): MachineDoor {
  const { gateway, admits, log } = place;
  const servers = new Map<number, Server>();
  return {
    async lead(ports) {
      for (const port of ports) {
        if (servers.has(port)) continue;
        const server = createRelay(port, { admits, gateway });
        servers.set(port, server);
        await listen(server, gateway, port).catch((error) => {
          servers.delete(port);
          // What listens on all addresses has this one as well.
          log.warn(
            { err: error, gateway, port },
            'containers do not reach a port of this machine through us',
          );
        });
      }
    },
    close() {
      for (const server of servers.values()) server.close();
      servers.clear();
    },
  };
}

/** Whether an address is of a network, `10.0.0.0/24` for example. */
export function inSubnet(subnet: string): (address: string) => boolean {
  const [network = '', prefix] = subnet.split('/');
  const admitted = new BlockList();
  admitted.addSubnet(network, Number(prefix));
  return (address) => admitted.check(address);
}

function createRelay(port: number, { admits, gateway }: Pick<Place, 'admits' | 'gateway'>): Server {
  return createServer({ noDelay: true, keepAlive: true }, (inside) => {
    if (!admits(inside.remoteAddress ?? '')) return void inside.destroy();
    // From an address of the network's: nobody takes an app for a local user.
    const outside = connect({ host: LOOPBACK, port, localAddress: gateway, noDelay: true });
    inside.once('error', () => outside.destroy());
    outside.once('error', () => inside.destroy());
    inside.once('close', () => outside.destroy());
    outside.once('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      // It is not what keeps this process.
      server.unref();
      resolve();
    });
  });
}
