import { unavailableSince } from '../core/errors.ts';

export interface Gate {
  /** Waits for a place and resolves to how it is given back; rejects with 503 when that takes longer than `patience`. */
  enter(who: string, patience?: number): Promise<() => void>;
}

interface Limits {
  places: number;
  /** How many of them one can have. */
  each: number;
  /** Milliseconds. */
  patience: number;
}

interface Waiting {
  who: string;
  admit(leave: () => void): void;
}

/** Lets `places` in at once, of one no more than `each`; others wait their turn for at most `patience`, unless they say for how long. */
export function createGate({ places, each, patience: usual }: Limits): Gate {
  const inside: string[] = [];
  const waiting = new Set<Waiting>();

  const hasRoom = (who: string) =>
    inside.length < places && inside.filter((other) => other === who).length < each;

  function take(who: string): () => void {
    inside.push(who);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside.splice(inside.indexOf(who), 1);
      for (const next of waiting) if (hasRoom(next.who)) next.admit(take(next.who));
    };
  }

  return {
    enter(who, patience = usual) {
      if (hasRoom(who)) return Promise.resolve(take(who));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(entry);
          reject(unavailableSince(`no place became free within ${patience} ms`));
        }, patience);
        const entry: Waiting = {
          who,
          admit(leave) {
            clearTimeout(timer);
            waiting.delete(entry);
            resolve(leave);
          },
        };
        waiting.add(entry);
      });
    },
  };
}
