import type { Writable } from 'node:stream';

/** Counts requests that are not answered to their end. */
export interface RequestsUnderWay {
  /** Counts one until its response or socket closes. */
  begin(stream: Writable): void;
  /** Resolves when there is none, or after `within` milliseconds. */
  ended(within: number): Promise<void>;
}

export function countRequests(): RequestsUnderWay {
  let count = 0;
  let onNone: (() => void) | undefined;
  const end = () => {
    count -= 1;
    if (count === 0) onNone?.();
  };
  return {
    begin(stream) {
      count += 1;
      stream.once('close', end);
    },
    ended(within) {
      if (count === 0 || within === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, within);
        onNone = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
