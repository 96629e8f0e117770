/** Does the pieces of work of one name one after the other, in the order in which they came. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const queues = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const turn = (queues.get(name) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => {});
    queues.set(name, settled);
    try {
      return await turn;
    } finally {
      if (queues.get(name) === settled) queues.delete(name);
    }
  };
}
