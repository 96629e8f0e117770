import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../core/settings.ts';
import { addCalls, countCall, type Limit, overLimit } from './rate-limit.ts';

/** Counts calls of limits that are high, at no cost to the call. */
export interface CallCounts {
  /** Counts one call and throws 429 when it is over the limit. */
  count(limit: Limit): Promise<void>;
}

interface CallCountsParts {
  db: Kysely<Database>;
  settings: Pick<Settings, 'rateLimits'>;
  log: Logger;
  /** Milliseconds between two sums; absent: `PERIOD`. */
  period?: number;
}

/** Calls of one window, as far as this process knows. */
interface Window {
  /** Its own, and those of others that the database told of. */
  count: number;
  /** Those of its own that the database does not know of. */
  unsent: number;
  seconds: number;
  /** When it ends, on this process's own stopwatch (`performance.now`). */
  ends: number;
}

/** A limit of so few calls guards what is dear: each is counted in the database before it is let in. */
const EXACT_UP_TO = 30;
const PERIOD = 100;
/** Windows of one statement. */
const LARGEST = 1000;
/** Milliseconds between two looks for windows that are over. */
const FORGET_EVERY = 1000;
/** Windows in memory, about 200 bytes each; what comes beyond is counted in the database. */
const MOST = 50_000;

/**
 * Counts in memory and adds the sums to those of other replicas ten times a second. A replica refuses by its own calls at
 * once, and by those of others as late as that: so for this long each lets in what a limit has left. Limits of few calls
 * are exact.
 */
export function createCallCounts(parts: CallCountsParts): CallCounts {
  const { db, settings, log, period = PERIOD } = parts;
  const windows = new Map<string, Window>();
  /** Those with calls that the database does not know of. */
  const unsent = new Map<string, Window>();
  let isDue = false;
  let forgetAt = 0;

  function windowOf({ key, seconds }: Limit, now: number): Window {
    const known = windows.get(key);
    if (known && known.ends > now) return known;
    const opened = { count: 0, unsent: 0, seconds, ends: now + seconds * 1000 };
    windows.set(key, opened);
    return opened;
  }

  function add(key: string, window: Window, calls: number): void {
    window.unsent += calls;
    unsent.set(key, window);
  }

  function forgetEnded(now: number): void {
    if (now < forgetAt && windows.size < MOST) return;
    forgetAt = now + FORGET_EVERY;
    for (const [key, { ends }] of windows) if (ends <= now) windows.delete(key);
  }

  function takeSums(now: number): { key: string; calls: number; seconds: number }[] {
    const sums = [];
    for (const [key, window] of unsent) {
      if (sums.length === LARGEST) break;
      unsent.delete(key);
      // Nobody asks any more how many there were.
      if (window.ends <= now) continue;
      sums.push({ key, calls: window.unsent, seconds: window.seconds });
      window.unsent = 0;
    }
    return sums;
  }

  async function share(): Promise<void> {
    const begun = performance.now();
    const sums = takeSums(begun);
    forgetEnded(begun);
    try {
      for (const { key, count, remaining } of sums.length > 0 ? await addCalls(db, sums) : []) {
        const window = windows.get(key);
        if (!window) continue;
        window.count = count + window.unsent;
        window.ends = performance.now() + remaining * 1000;
      }
    } catch (error) {
      for (const { key, calls } of sums) {
        const window = windows.get(key);
        if (window) add(key, window, calls);
      }
      log.warn({ err: error }, 'calls could not be counted over all replicas and are tried again');
    }
    isDue = false;
    if (unsent.size > 0) shareSoon();
  }

  function shareSoon(): void {
    if (isDue) return;
    isDue = true;
    setTimeout(() => void share(), period).unref();
  }

  return {
    async count(limit) {
      if (!settings.rateLimits) return;
      // Windows that are over are forgotten with the next sums: without any call that is kept here they would never be.
      if (windows.size >= MOST) shareSoon();
      if (limit.calls <= EXACT_UP_TO || windows.size >= MOST) return countCall({ db, settings }, limit);
      const now = performance.now();
      const window = windowOf(limit, now);
      if (window.count >= limit.calls) throw overLimit((window.ends - now) / 1000);
      window.count += 1;
      add(limit.key, window, 1);
      shareSoon();
    },
  };
}
