import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { AppFigures, Figures } from './app-figures.ts';
import { storeFigures } from './metrics-store.ts';

const MINUTE = 60_000;
/** Milliseconds after a minute's end. */
const AFTER = 500;
/** Minutes that wait for a database that is away; hours are summed anew as long as that. */
const WAITING = 60;
/** Attempts of an orderly stop to write down what waits, and milliseconds between them. */
const LAST_ATTEMPTS = 3;
const RETRY = 1000;

/**
 * Writes down every minute what the apps of this process did in it. What a database that is away did not take is written
 * down with a later minute. A killed server loses what was counted since it wrote last, which is a minute at most.
 */
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
  const waiting: { at: Date; counted: Figures[] }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stored: Promise<boolean> = Promise.resolve(true);

  function store(at: Date): Promise<boolean> {
    waiting.push({ at, counted: figures.collect() });
    if (waiting.length > WAITING) waiting.shift();
    stored = stored.then(storeWaiting);
    return stored;
  }

  /** Whether nothing waits any more. */
  async function storeWaiting(): Promise<boolean> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await storeFigures(db, next.counted, next.at);
        waiting.shift();
      }
    } catch (error) {
      log.warn({ err: error }, 'figures of apps could not be stored yet');
    }
    return waiting.length === 0;
  }

  function plan(): void {
    timer = setTimeout(
      () => {
        void store(new Date(Date.now() - MINUTE / 2));
        plan();
      },
      MINUTE - (Date.now() % MINUTE) + AFTER,
    ).unref();
  }

  return {
    start: plan,
    async stop() {
      clearTimeout(timer);
      let isStored = await store(new Date());
      for (let attempt = 1; !isStored && attempt < LAST_ATTEMPTS; attempt += 1) {
        await wait(RETRY);
        isStored = await storeWaiting();
      }
    },
  };
}
