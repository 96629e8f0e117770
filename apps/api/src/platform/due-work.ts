import type { Logger } from 'pino';
import type { Notifications } from './notifications.ts';

/** Milliseconds until what another replica left, a lost notification, or what falls due by the clock is found. */
const POLL = 15_000;
/** Milliseconds after which the database is asked again, where it could not be. */
const RETRY = 2000;
const SECOND = 1000;

export interface DueWork<T> {
  notifications: Pick<Notifications, 'subscribe'>;
  log: Logger;
  /** What the database notifies when something may be due. */
  channel: string;
  /** Pieces at once, so that those which take long hold up few others. */
  atOnce: number;
  /** Milliseconds in which notifications that follow each other begin one round; at least 1. */
  settle: number;
  /** Takes what is due, so many pieces at most: no other replica takes the same. */
  take(most: number): Promise<readonly T[]>;
  /** Does one, and gives the seconds until it is due again, where it is; `signal` ends it. */
  carryOut(piece: T, signal: AbortSignal): Promise<number | undefined>;
  /** Is told that a piece could not be carried out: it is due again when the database says so. */
  failed(error: unknown, piece: T): void;
}

/** Begins with what was left behind by the last stop. */
export interface DueLoop {
  start(): void;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

/** Does what falls due in the database beside the other replicas, so that a piece waits for no other and none is forgotten. */
export function createDueLoop<T>(work: DueWork<T>): DueLoop {
  const { notifications, log, channel, atOnce, settle } = work;
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  let current: Promise<void> | undefined;
  /** Pauses after which a piece is due again. */
  const pauses = new Set<NodeJS.Timeout>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let unsubscribe = () => {};

  /** Begins a round in so many milliseconds, or where one is to begin earlier, with that. */
  function begin(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (ending.signal.aborted || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY;
      // What came while a round is under way may have come too late for it.
      if (current) return begin(settle);
      current = round().finally(() => {
        current = undefined;
        begin(POLL);
      });
    }, milliseconds).unref();
  }

  /** The round before it, in which nothing is due yet, does not put it off. */
  function beginAfter(milliseconds: number): void {
    const pause = setTimeout(() => {
      pauses.delete(pause);
      begin(0);
    }, milliseconds).unref();
    pauses.add(pause);
  }

  async function carryOut(piece: T): Promise<void> {
    try {
      const pause = await work.carryOut(piece, ending.signal);
      if (pause !== undefined) beginAfter(pause * SECOND);
    } catch (error) {
      if (!ending.signal.aborted) work.failed(error, piece);
    }
  }

  async function round(): Promise<void> {
    try {
      const due = running.size < atOnce ? await work.take(atOnce - running.size) : [];
      for (const piece of due) {
        const one = carryOut(piece).finally(() => {
          running.delete(one);
          // There may be some for which there was no room.
          begin(0);
        });
        running.add(one);
      }
    } catch (error) {
      log.warn({ err: error, channel }, 'what is due could not be read; it is read again in a moment');
      begin(RETRY);
    }
  }

  return {
    start() {
      const wake = () => begin(settle);
      unsubscribe = notifications.subscribe(channel, wake, wake);
      wake();
    },
    async stop() {
      unsubscribe();
      ending.abort();
      for (const one of [timer, ...pauses]) clearTimeout(one);
      await current;
      await Promise.all(running);
    },
  };
}
