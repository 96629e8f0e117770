/** Does things beside each other, up to `most` at once. */
export interface Lanes {
  /** Begins something as soon as there is room. Throws what one of those before has failed with. */
  add(work: () => Promise<unknown>): Promise<void>;
  /** Resolves when all are done. Throws the same. */
  done(): Promise<void>;
}

export function createLanes(most: number): Lanes {
  const running = new Set<Promise<unknown>>();
  let failure: { error: unknown } | undefined;
  const assertWell = () => {
    if (failure) throw failure.error;
  };
  return {
    async add(work) {
      while (running.size >= most) await Promise.race(running);
      assertWell();
      const one: Promise<unknown> = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(one));
      running.add(one);
    },
    async done() {
      await Promise.all(running);
      assertWell();
    },
  };
}
