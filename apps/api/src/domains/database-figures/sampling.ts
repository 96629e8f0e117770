import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { PostgresObserver } from '../databases/engines/postgres/observer.ts';
import { storeSamples } from './samples.ts';

const MINUTE = 60_000;
/** Milliseconds after a minute's end. */
const AFTER = 500;

interface SamplingParts {
  db: Kysely<Database>;
  log: Logger;
  observer: PostgresObserver;
}

/** Looks every minute what the databases did whose servers run here. What cannot be kept is let go. */
export interface Sampling {
  start(): void;
  stop(): Promise<void>;
}

export function createSampling({ db, log, observer }: SamplingParts): Sampling {
  let timer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> | undefined;

  async function sample(at: Date): Promise<void> {
    try {
      let failures = 0;
      const counters = await observer.counters((error) => {
        failures += 1;
        if (failures === 1) log.warn({ err: error }, 'a server of databases did not tell what it did');
      });
      await storeSamples(db, counters, at);
    } catch (error) {
      log.warn({ err: error }, 'figures of databases could not be stored');
    }
  }

  function plan(): void {
    timer = setTimeout(
      () => {
        // One that takes longer than a minute is not begun twice.
        sampling ??= sample(new Date(Date.now() - MINUTE / 2)).finally(() => {
          sampling = undefined;
        });
        plan();
      },
      MINUTE - (Date.now() % MINUTE) + AFTER,
    ).unref();
  }

  return {
    start: plan,
    async stop() {
      clearTimeout(timer);
      await sampling;
    },
  };
}
