import type { Duplex } from 'node:stream';

/** Milliseconds that a client has to hang up, too. */
const LINGER = 1000;

/** Ends a connection with some last bytes; what its client still sends is not read. */
export function hangUp(socket: Duplex, last: Buffer): void {
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
}
