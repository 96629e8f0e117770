import pg from 'pg';
import { type Watched, watchAnswers } from './patience.ts';

/** Milliseconds after an answer in which a connection is taken to be alive. */
const FRESH = 250;

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

export interface CheckedPoolConfig extends pg.PoolConfig {
  /** Milliseconds that the server is told to give a statement. */
  statementTimeout: number;
}

/**
 * A pool whose connections are known to have a server at their other end: a query that is left without an answer costs
 * its connection, and one that lay idle says that it is alive before it is handed out. Once one of them was found dead,
 * those not heard of since are thrown away unasked.
 */
export class CheckedPool extends pg.Pool {
  readonly #watched = new WeakMap<pg.ClientBase, Watched>();
  /** Connections that were not heard of since then may be as dead as the one that was left without an answer. */
  #doubtedUntil = Number.NEGATIVE_INFINITY;

  constructor({ statementTimeout, ...config }: CheckedPoolConfig) {
    super(config);
    const onSilence = (begunAt: number) => {
      this.#doubtedUntil = Math.max(this.#doubtedUntil, begunAt);
    };
    this.on('connect', (client) => {
      this.#watched.set(client, watchAnswers(client, { statementTimeout, onSilence }));
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const taken = this.#take();
    if (!callback) return taken;
    taken.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      if (await this.#isAlive(client)) return client;
      client.release(true);
    }
  }

  async #isAlive(client: pg.PoolClient): Promise<boolean> {
    const watched = this.#watched.get(client);
    if (!watched) return true;
    const heardAt = watched.heardAt();
    if (heardAt < this.#doubtedUntil) return false;
    return performance.now() - heardAt < FRESH || watched.answers();
  }
}
