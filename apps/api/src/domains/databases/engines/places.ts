/** Does a piece of work once there is a place for it: in the order in which they came. */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

/** So many at once; the others wait. */
export function createPlaces(count: number): InPlace {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
