import type { Logger } from 'pino';

const RETRY_MS = 5000;

export interface GivenServerOptions {
  /** Name of the setting that holds the address. */
  setting: string;
  /** Rejects when the server cannot be used: by `Unfit` where it says why. */
  ping(): Promise<unknown>;
  log: Logger;
}

/** A server that can be reached and must not be used; the message says why in one sentence. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

/** Knows whether a server that somebody else runs can be used: asks it when it is needed, then until it can be used. */
export interface GivenServer {
  /** Why not, in one sentence; null when it can. */
  problem(): string | null;
  /** Asks it. What is wrong is told by `problem`. */
  check(): Promise<void>;
  /** Does something there. When that fails, `problem` says whether the whole server is gone. */
  during<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function createGivenServer({ setting, ping, log }: GivenServerOptions): GivenServer {
  let problem: string | null = null;
  let retry: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    clearTimeout(retry);
    try {
      await ping();
      problem = null;
    } catch (error) {
      if (problem === null) log.error({ err: error }, `the server of ${setting} cannot be used`);
      problem =
        error instanceof Unfit ? error.message : `The server of ${setting} cannot be used at the moment.`;
      retry = setTimeout(() => void check(), RETRY_MS).unref();
    }
  }

  return {
    problem: () => problem,
    check,
    async during(work) {
      try {
        return await work();
      } catch (error) {
        await check();
        throw error;
      }
    },
    stop: () => clearTimeout(retry),
  };
}
