import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { AppFigures } from './app-figures.ts';
import { storeFigures } from './metrics-store.ts';

const MINUTE = 60_000;
/** Milliseconds after a minute's end, and between two attempts to store it. */
const AFTER = 500;
const RETRY = 5000;
const ATTEMPTS = 4;

/** Writes down every minute what the apps of this process did in it. A killed server loses its last minute. */
export interface Minutes {
  start(): void;
  /** Writes down the minute that has begun, too. */
  stop(): Promise<void>;
}

export function createMinutes({
  db,
  log,
  figures,
}: {
  db: Kysely<Database>;
  log: Logger;
  figures: Pick<AppFigures, 'collect'>;
}): Minutes {
  let timer: NodeJS.Timeout | undefined;
  let stored: Promise<void> = Promise.resolve();

  async function store(at: Date, attempts: number): Promise<void> {
    const collected = figures.collect();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await storeFigures(db, collected, at);
      } catch (error) {
        log.warn({ err: error }, 'figures of apps could not be stored yet');
        if (attempt >= attempts) return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  function plan(): void {
    timer = setTimeout(
      () => {
        const at = new Date(Date.now() - MINUTE / 2);
        stored = stored.then(() => store(at, ATTEMPTS));
        plan();
      },
      MINUTE - (Date.now() % MINUTE) + AFTER,
    ).unref();
  }

  return {
    start: plan,
    async stop() {
      clearTimeout(timer);
      await stored;
      await store(new Date(), 1);
    },
  };
}
