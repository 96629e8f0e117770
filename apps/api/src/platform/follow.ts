import { setTimeout as pause } from 'node:timers/promises';
import type { Notifications } from './notifications.ts';

export interface Following {
  channels: readonly string[];
  /** Whether a payload is about what is followed. */
  concerns: (payload: string) => boolean;
  signal: AbortSignal | undefined;
  /** Called before the turn's news when notifications may have been missed, so when none of them says what it is. */
  missed?: () => void;
}

/** Why a follower goes on: something happened, nothing did for the time it gave, or nobody listens any more. */
export type Turn = 'news' | 'quiet' | 'over';

export interface Follower {
  /** Resolves at the next notification, at once when one came since the last turn, or after `quietAfter` ms. */
  turn(quietAfter?: number): Promise<Turn>;
  /** Waits for `ms`, or until the stream ends; what happens meanwhile is news of the next turn. */
  rest(ms: number): Promise<void>;
  end(): void;
}

/**
 * Listens for one stream. Follow first and read the state after, so that nothing falls between; `end` must be called,
 * and leaves no listener behind.
 */
export function follow(notifications: Pick<Notifications, 'subscribe'>, following: Following): Follower {
  const { channels, concerns, signal, missed } = following;
  let news = false;
  let wake = () => {};
  const ring = () => {
    news = true;
    wake();
  };
  const resync = () => {
    missed?.();
    ring();
  };
  const stop = () => wake();
  signal?.addEventListener('abort', stop);
  const unsubscribes = channels.map((channel) =>
    notifications.subscribe(channel, (payload) => concerns(payload) && ring(), resync),
  );

  function sleep(quietAfter: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = quietAfter === undefined ? undefined : setTimeout(resolve, quietAfter);
    wake = resolve;
    return promise.finally(() => clearTimeout(timer));
  }

  return {
    async turn(quietAfter) {
      if (!news && !signal?.aborted) await sleep(quietAfter);
      if (signal?.aborted) return 'over';
      if (!news) return 'quiet';
      news = false;
      return 'news';
    },
    async rest(ms) {
      // Rejects only at the end of the stream.
      await pause(ms, undefined, signal && { signal }).catch(() => {});
    },
    end() {
      signal?.removeEventListener('abort', stop);
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}
