import type pg from 'pg';

/** Values of statements whose answers nobody waits for. */
const unread = new WeakSet<object>();

/**
 * Has the transaction go on without the answer to a statement with these values; its commit rejects where that failed.
 * They are strings: what the driver cannot write would fail here, and the server, which knows nothing of it, would commit.
 */
export function leaveUnread(values: readonly string[]): void {
  unread.add(values);
}

/** Of a transaction, or of what came since a savepoint. */
const UNDOES = /^rollback\b/;

/**
 * Sends what comes next on a connection without waiting for the answer to what `leaveUnread` names: a trip to the server
 * less. What that met is what the statements after it reject with, up to the commit: the server carries out none of those
 * in a transaction that failed. `begin` is waited for, since what follows one that failed would be carried out. The pool
 * has to let statements be sent so (`pipeline`).
 */
export function pipelineTransactions(client: pg.ClientBase): void {
  const { query } = client;
  /** Resolves to what the statements met that nobody waited for, once all of them are answered. */
  let earlier: Promise<unknown> | undefined;

  function sent(...call: unknown[]): unknown {
    const [text, values] = call;
    const answer: unknown = Reflect.apply(query, client, call);
    if (typeof text !== 'string' || !(answer instanceof Promise)) return answer;
    if (Array.isArray(values) && unread.has(values)) {
      const before = earlier;
      const failure = answer.then(
        () => undefined,
        (error: unknown) => error,
      );
      earlier = before ? before.then((error) => error ?? failure) : failure;
      return Promise.resolve({ rows: [], rowCount: 0 });
    }
    const met = earlier;
    const undoes = UNDOES.test(text);
    if (undoes || text === 'commit') earlier = undefined;
    return met && !undoes ? unless(met, answer) : answer;
  }
  // Assigned unread: the driver's many overloads come down to these arguments.
  Object.assign(client, { query: sent });
}

/** The answer, unless what came before it failed. */
async function unless(failed: Promise<unknown>, answer: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([answer]);
  const error = await failed;
  if (error !== undefined) throw error;
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
