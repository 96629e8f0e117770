import { createServer } from 'node:net';

/** A port that nobody uses at this moment, on any address of this machine: an app may listen on all of them. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
