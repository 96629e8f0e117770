import { setTimeout as wait } from 'node:timers/promises';
import { connectPostgres } from './postgres-session.ts';

/** Milliseconds by the machine's clock between which a row was written. */
export interface Written {
  n: number;
  began: number;
  acknowledged: number;
}

/** Milliseconds by the machine's clock. */
export const now = () => performance.timeOrigin + performance.now();

/** Writes one row after the other into a database's table `kept` until it is told to stop, through whatever comes. */
export function startWriter(address: string) {
  const written: Written[] = [];
  let stopped = false;
  async function write(): Promise<void> {
    let n = 0;
    while (!stopped) {
      const client = await connectPostgres(address).catch(() => undefined);
      while (client && !stopped) {
        n += 1;
        const began = now();
        const done = await client.query('insert into kept values ($1)', [n]).then(
          () => true,
          () => false,
        );
        // What was not acknowledged may be there or not.
        if (!done) break;
        written.push({ n, began, acknowledged: now() });
        await wait(2);
      }
      await client?.end().catch(() => {});
      await wait(20);
    }
  }
  const writing = write();
  return {
    written,
    async stop() {
      stopped = true;
      await writing;
    },
  };
}
