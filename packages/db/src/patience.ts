import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from './schema/database.ts';

/** Milliseconds beyond the server's own limit on a statement, for its answer to arrive. */
const GRACE = 250;
/** Milliseconds within which an idle connection says that it still is one. */
const PROBE = 1500;
/** Milliseconds for the server's half of a goodbye. */
const FAREWELL = 1000;

/** What `allowSeconds` and `migrate` send; the only statements that move the limit. */
const SETS_TIMEOUT = /^set (local )?statement_timeout = (\d+)$/;
const ENDS_TRANSACTION = /^(commit|rollback)$/;
const RESETS_TIMEOUT = 'reset statement_timeout';

/** The server left a query without an answer. Whether it was carried out is not known. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly code = 'ETIMEDOUT';
}

/** Gives each statement of the transaction `trx` so many seconds, in the place of what a request's has. 0: no bound. */
export async function allowSeconds(trx: Kysely<Database>, seconds: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(seconds * 1000)}`.execute(trx);
}

/** What is known of a connection's other end. */
export interface Watched {
  /** When an answer came last, on the clock of `performance.now()`. */
  heardAt(): number;
  /** Asks for a sign of life; false when none came in time, and the connection is gone. */
  answers(): Promise<boolean>;
}

interface WatchOptions {
  /** Milliseconds that the server gives a statement. */
  statementTimeout: number;
  /** Told when the server began the query that was left without an answer, on the clock of `performance.now()`. */
  onSilence: (begunAt: number) => void;
}

/** Follows what the statements of a connection set, to know how long the server lets the next one take. */
function createTimeLimit(statementTimeout: number) {
  let ofSession = statementTimeout;
  let ofTransaction: number | undefined;
  return {
    note(text: string): void {
      const [, local, given] = SETS_TIMEOUT.exec(text) ?? [];
      if (given !== undefined && local) ofTransaction = Number(given);
      else if (given !== undefined) ofSession = Number(given);
      else if (text === RESETS_TIMEOUT) ofSession = statementTimeout;
      else if (ENDS_TRANSACTION.test(text)) ofTransaction = undefined;
    },
    /** Milliseconds; 0 for no limit. */
    current: () => ofTransaction ?? ofSession,
  };
}

/**
 * Has `expectAnswer` told of each query's text, and calls what that returns once the answer is there. Who waits for a
 * promise gets one of ours: once a query that the driver makes one for has outlived collections of V8's young
 * generation, so do all after it, with what they were answered, and fill the old one.
 */
function timeQueries(client: pg.Client, expectAnswer: (text: string) => () => void): void {
  const { query } = client;
  function timed(...call: unknown[]): unknown {
    const answered = expectAnswer(textOf(call[0]));
    const last = call.at(-1);
    const isTold = typeof last === 'function';
    const send = (tell: Tell) => {
      const noted: Tell = (error, result) => {
        answered();
        tell(error, result);
      };
      Reflect.apply(query, client, [...(isTold ? call.slice(0, -1) : call), noted]);
    };
    return isTold ? send((error, result) => last(error, result)) : promised(send);
  }
  // Assigned unread: the driver's many overloads come down to these arguments.
  Object.assign(client, { query: timed });
}

/** What the driver calls with a query's outcome. */
type Tell = (error: Error | null, result?: unknown) => void;

function promised(send: (tell: Tell) => void): Promise<unknown> {
  const answer = new Promise((resolve, reject) => {
    send((error, result) => (error ? reject(error) : resolve(result)));
  });
  return answer.catch((error) => {
    // As the driver has it: it says who asked, rather than what read the answer.
    Error.captureStackTrace(error);
    throw error;
  });
}

/**
 * Breaks a connection off when a query gets no answer within the server's own limit on statements and a moment: its
 * server, or the way there, is gone without a word. All that waits on it fails with `NoAnswer`, and no late answer can
 * be taken for that of another query.
 */
export function watchAnswers(client: pg.Client, { statementTimeout, onSilence }: WatchOptions): Watched {
  const limit = createTimeLimit(statementTimeout);
  let heardAt = performance.now();
  let probing = false;

  /** Times the server at a query, until the result is called. */
  function time(text: string): () => void {
    limit.note(text);
    const begunAt = performance.now();
    const given = limit.current();
    const patience = probing ? PROBE : given && given + GRACE;
    let waiting = true;
    const giveUp = () => {
      if (!waiting) return;
      onSilence(begunAt);
      client.connection.stream.destroy(new NoAnswer(`PostgreSQL did not answer within ${patience} ms`));
    };
    // It gives up only after what has arrived was read: it may be this process that stood still.
    const timer = patience ? setTimeout(() => setImmediate(giveUp), patience) : undefined;
    return () => {
      waiting = false;
      clearTimeout(timer);
    };
  }

  /** Sent and not answered: the server is at the first, and begins each with the answer to the one before. */
  const asked: { text: string; stop?: () => void }[] = [];
  const timeFirst = () => {
    const [first] = asked;
    if (first) first.stop ??= time(first.text);
  };

  timeQueries(client, (text) => {
    const query: (typeof asked)[number] = { text };
    asked.push(query);
    timeFirst();
    return () => {
      const at = asked.indexOf(query);
      // The driver tells twice of a query whose values it cannot write.
      if (at === -1) return;
      query.stop?.();
      asked.splice(at, 1);
      heardAt = performance.now();
      timeFirst();
    };
  });
  endWithoutFarewell(client);

  return {
    heardAt: () => heardAt,
    async answers() {
      probing = true;
      try {
        await client.query('select 1');
        return true;
      } catch {
        return false;
      } finally {
        probing = false;
      }
    },
  };
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

/** A server that is gone never closes its half, and would hold up the end of a pool. */
function endWithoutFarewell(client: pg.Client): void {
  const { stream } = client.connection;
  stream.once('finish', () => setTimeout(() => stream.destroy(), FAREWELL).unref());
}
