/** Lets so many work at a time, in the order in which they asked. */
export interface Turns {
  /** Resolves when there is room; disposing of the answer makes room for another. */
  take(): Promise<Disposable>;
}

export function createTurns(places: number): Turns {
  let free = places;
  const waiting: (() => void)[] = [];
  const turn = (): Disposable => {
    let isOver = false;
    return {
      [Symbol.dispose]() {
        if (isOver) return;
        isOver = true;
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      },
    };
  };
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return turn();
    },
  };
}
