import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { tellProgress, WorkCancelled } from './long-work.ts';

/** Milliseconds between two words about how far it is. */
const TOLD_EVERY = 500;

/** Tells how far the work at a database is, and hears whether it was cancelled. */
export interface WorkTeller {
  /** Aborts with `WorkCancelled`. */
  cancelled: AbortSignal;
  /** Percent that are done; null: not known. */
  note(percent: number | null): void;
  end(): Promise<void>;
}

export function createWorkTeller(
  { db, log }: { db: Kysely<Database>; log: Logger },
  id: string,
  begun: number | null = 0,
): WorkTeller {
  const cancelling = new AbortController();
  let percent = begun;
  const timer = setInterval(() => void say(), TOLD_EVERY);
  let saying: Promise<void> = Promise.resolve();

  function say(): Promise<void> {
    saying = tellProgress(db, id, percent === null ? null : Math.floor(percent)).catch((error) => {
      if (error instanceof WorkCancelled) cancelling.abort(error);
      else log.warn({ err: error, database: id }, 'how far the work at a database is could not be told');
    });
    return saying;
  }

  return {
    cancelled: cancelling.signal,
    note(now) {
      percent = now;
    },
    async end() {
      clearInterval(timer);
      await saying;
    },
  };
}
