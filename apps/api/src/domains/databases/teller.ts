import type { Platform } from '../../platform/platform.ts';
import { tellProgress, WorkCancelled } from './long-work.ts';

/** Milliseconds between two words about how far the work is. */
const TOLD_EVERY = 500;

/** Tells while a piece of work is under way how far it is, and hears whether it was cancelled. */
export interface Teller {
  /** Aborted with `WorkCancelled` once somebody asked to end the work, or the database is gone. */
  cancelled: AbortSignal;
  /** How far it is now, in percent. */
  note(now: number): void;
  end(): Promise<void>;
}

export function createTeller({ db, log }: Pick<Platform, 'db' | 'log'>, id: string): Teller {
  const cancelling = new AbortController();
  let percent = 0;
  const timer = setInterval(() => void say(), TOLD_EVERY);
  let saying: Promise<void> = Promise.resolve();

  function say(): Promise<void> {
    saying = tellProgress(db, id, Math.floor(percent)).catch((error) => {
      if (error instanceof WorkCancelled) cancelling.abort(error);
      else log.warn({ err: error, database: id }, 'how far the work on a database is could not be told');
    });
    return saying;
  }

  return {
    cancelled: cancelling.signal,
    note(now: number) {
      percent = now;
    },
    async end() {
      clearInterval(timer);
      await saying;
    },
  };
}
