import { unavailableSince } from '../core/errors.ts';

/** Work that many callers ask for one by one and that is cheaper done together. */
export interface Batches<Item, Result> {
  /** Resolves to this item's own result, or rejects as its work did. */
  add(item: Item): Promise<Result>;
}

export interface BatchOptions<Item, Result> {
  /** Does all items in one go: one result for each, in their order. When it rejects, none of them may be done. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Batches that may run at once. */
  atOnce: number;
  /** Items of one batch at most. */
  largest: number;
  /** Whether the items of a batch that was rejected so may be tried one by one, since nothing of it was done. */
  mayRepeat: (error: unknown) => boolean;
  /** Milliseconds that an item may wait for its batch to begin; absent: as long as it takes. */
  patience?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Starts at once where it can; what comes while all runs are busy goes together into the next one. So nothing waits
 * for company, and batches grow with the load. An item that waits for too long is refused with 503, and was not begun.
 */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): Batches<Item, Result> {
  const { run, atOnce, largest, mayRepeat, patience } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  /** Does a batch, and gives what tells those who wait for it. */
  async function settle(batch: Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A batch did not give one result for each item.');
      return () => {
        for (const [index, result] of results.entries()) batch[index]?.resolve(result);
      };
    } catch (error) {
      if (batch.length === 1 || !mayRepeat(error)) {
        return () => {
          for (const { reject } of batch) reject(error);
        };
      }
      for (const one of batch) (await settle([one]))();
      return () => {};
    }
  }

  /** Refuses an item that still waits; one whose batch has begun gets the result of that. */
  function giveUp(one: Waiting<Item, Result>): void {
    const index = waiting.indexOf(one);
    if (index === -1) return;
    waiting.splice(index, 1);
    one.reject(unavailableSince(`what came before was not done within ${patience} ms`));
  }

  async function work(): Promise<void> {
    running += 1;
    let tell: (() => void) | undefined;
    while (waiting.length > 0) {
      const next = settle(waiting.splice(0, largest));
      // Whoever is told goes on at once, up to the answer: until then the next batch would not be on its way.
      if (tell) setImmediate(tell);
      tell = await next;
    }
    running -= 1;
    tell?.();
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        const one = { item, resolve, reject };
        waiting.push(one);
        if (patience !== undefined) setTimeout(() => giveUp(one), patience).unref();
        // The batch begins after this turn of the loop, so that items that arrived together share it.
        if (running < atOnce) queueMicrotask(() => running < atOnce && waiting.length > 0 && void work());
      });
    },
  };
}
