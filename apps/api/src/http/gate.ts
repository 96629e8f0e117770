import { unavailableSince } from '../errors.ts';

export interface Gate {
  /** Waits for a place and resolves to how it is given back; rejects with 503 when that takes too long. */
  enter(): Promise<() => void>;
}

/** Lets `places` in at once; others wait their turn for at most `patience` milliseconds. */
export function createGate({ places, patience }: { places: number; patience: number }): Gate {
  let free = places;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else next();
  }

  function onceOnly(): () => void {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  }

  return {
    enter() {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(onceOnly());
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(admit);
          reject(unavailableSince(`no place for a large body came free within ${patience} ms`));
        }, patience);
        const admit = () => {
          clearTimeout(timer);
          waiting.delete(admit);
          resolve(onceOnly());
        };
        waiting.add(admit);
      });
    },
  };
}
