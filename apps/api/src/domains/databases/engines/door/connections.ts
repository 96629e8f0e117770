import type { Socket } from 'node:net';
import { isLoopbackHost } from '../../../../core/env.ts';
import { clientAt } from '../../../../platform/client-address.ts';

/** One that was taken, from its first byte to its last. */
export interface Connection {
  /** It told where it wants to go. */
  named(): void;
  /** There is nothing for it there. */
  refused(): void;
}

/** The connections of clients, within bounds. */
export interface Connections {
  /**
   * Follows one until it ends; undefined where there is no room for it. Where there are too many that have not said where
   * they want to go, or are being refused, the one that has been for longest makes room.
   */
  take(socket: Socket): Connection | undefined;
  destroyAll(): void;
}

/** Of all, each of which takes another for its server. */
const MOST = 4000;
const MOST_STARTING = 500;
/** From one address, or network of IPv6; apps of this machine share one, and have no such bound. */
const MOST_OF_CLIENT = 200;
/** Milliseconds for all that comes before the name of the database, a TLS handshake included. */
const START = 10_000;

export function createConnections(): Connections {
  const all = new Set<Socket>();
  /** In the order in which they have to go. */
  const starting = new Set<Socket>();
  const ofClient = new Map<string, number>();

  function hasRoom(): boolean {
    if (starting.size < MOST_STARTING && all.size < MOST) return true;
    const [oldest] = starting;
    if (!oldest) return false;
    // It counts until it is closed, which is not at once.
    all.delete(oldest);
    starting.delete(oldest);
    oldest.destroy();
    return true;
  }

  function leave(client: string): void {
    const left = (ofClient.get(client) ?? 1) - 1;
    if (left === 0) ofClient.delete(client);
    else ofClient.set(client, left);
  }

  return {
    take(socket) {
      const address = socket.remoteAddress ?? '';
      const client = clientAt(address);
      const before = ofClient.get(client) ?? 0;
      if (!isLoopbackHost(address) && before >= MOST_OF_CLIENT) return undefined;
      if (!hasRoom()) return undefined;
      ofClient.set(client, before + 1);
      all.add(socket);
      starting.add(socket);
      const timer = setTimeout(() => socket.destroy(), START);
      socket.once('close', () => {
        clearTimeout(timer);
        all.delete(socket);
        starting.delete(socket);
        leave(client);
      });
      return {
        named() {
          clearTimeout(timer);
          starting.delete(socket);
        },
        refused() {
          if (socket.destroyed) return;
          hasRoom();
          starting.add(socket);
        },
      };
    },
    destroyAll() {
      for (const socket of all) socket.destroy();
    },
  };
}
