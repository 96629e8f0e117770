import type { Logger } from 'pino';

/** Work that removes what is no longer needed, by the name under which the log tells of its failure. */
export type Sweeps = Record<string, () => Promise<unknown>>;

/** Runs one after another. The failure of one is logged and holds up none of the others. */
export async function runSweeps(sweeps: Sweeps, log: Logger): Promise<void> {
  for (const [name, sweep] of Object.entries(sweeps)) {
    try {
      await sweep();
    } catch (error) {
      log.error({ err: error, sweep: name }, 'a sweep failed and will be retried within the hour');
    }
  }
}
