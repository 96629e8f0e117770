import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE = 500;
const PATIENCE = 60_000;

/** An error that no repetition mends. */
export class Hopeless extends Error {
  override readonly name: string = 'Hopeless';
}

/**
 * Repeats `work` until it succeeds, so that it outlives a restart of the database; gives up after a minute, or at
 * once when `work` throws `Hopeless`. It must be safe to repeat: an answer can be lost after the commit.
 */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Hopeless || Date.now() > deadline) throw error;
    }
    await sleep(PAUSE);
  }
}
