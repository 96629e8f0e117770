import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { queueDue } from './due.ts';

/** Gives jobs their turn as they come due. */
export interface Scheduler {
  start(): void;
  stop(): Promise<void>;
  /** Gives their turn to all that are due by now. */
  tick(): Promise<void>;
}

export interface SchedulerParts {
  db: Kysely<Database>;
  log: Logger;
  /** The time by which jobs are due: the database's. */
  clock(): Promise<Date>;
}

const MINUTE = 60_000;
/** Milliseconds after a minute's beginning, so that a look is never a little early. */
const MARGIN = 20;
/** Milliseconds until the next look where the last one failed. */
const RETRY = 5000;

export function createScheduler(parts: SchedulerParts): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  let isStopped = true;

  async function tick(): Promise<void> {
    await queueDue(parts, await parts.clock());
  }

  /** Jobs are due on whole minutes. */
  async function turn(): Promise<void> {
    let wait = RETRY;
    try {
      await tick();
      wait = MINUTE - ((await parts.clock()).getTime() % MINUTE) + MARGIN;
    } catch (error) {
      parts.log.warn({ err: error }, 'could not look for jobs that are due');
    }
    if (!isStopped) timer = setTimeout(begin, wait);
  }

  function begin(): void {
    ticking = turn();
  }

  return {
    start() {
      isStopped = false;
      begin();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await ticking;
    },
    tick,
  };
}
