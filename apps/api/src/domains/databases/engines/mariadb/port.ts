import { createServer } from 'node:net';
import { LOOPBACK } from '../listening.ts';

/** Above MySQL's own, and below the ports that systems give to outgoing connections. */
const FIRST = 3307;
const LAST = 3407;

/** Calls `work` with free ports one after the other, until it does not reject because another program took it. */
export async function withFreePort<T>(work: (port: number) => Promise<T>): Promise<T> {
  for (let port = FIRST; port <= LAST; port++) {
    if (!(await isFree(port))) continue;
    try {
      return await work(port);
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Address already in use');
      if (!taken) throw error;
    }
  }
  throw new Error(`MySQL did not start: every port from ${FIRST} to ${LAST} is in use`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, LOOPBACK, () => probe.close(() => resolve(true)));
  });
}
