import type pg from 'pg';
import type { Logger } from 'pino';

/** A server that takes our orders. */
export interface OpenServer {
  /** The administrator's connections. */
  pool: pg.Pool;
  /** Under which clients reach it. */
  address: URL;
  close(): Promise<void>;
}

/** How to get at a server. */
export interface ServerSource {
  /** Host, port and options, without names; null where the port is known only once it is open. */
  address: URL | null;
  /** Whether it holds databases, so that it is opened at the start and not at the first creation. */
  hasDatabases(): boolean;
  /** Rejects when `open` could not succeed, as far as that can be told without opening. */
  check(): Promise<void>;
  open(): Promise<OpenServer>;
  /** Why it cannot be used, in one sentence that names the setting to change. */
  explain(error: unknown): string;
}

export interface PostgresServer {
  unavailable(): string | null;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Opens it where it is not open yet. */
  open(): Promise<OpenServer>;
  /** Throws while it is not known. */
  address(): URL;
}

const RETRY_MS = 5000;

/** Opens a server when it is needed, and goes on trying while it cannot be opened. */
export function createPostgresServer(source: ServerSource, log: Logger): PostgresServer {
  let opening: Promise<OpenServer> | undefined;
  let current: OpenServer | undefined;
  let problem: string | null = null;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  function failed(error: unknown): void {
    const reason = source.explain(error);
    if (reason !== problem) log.error({ err: error }, reason);
    problem = reason;
    clearTimeout(retry);
    if (!stopped) retry = setTimeout(() => void start(), RETRY_MS).unref();
  }

  async function open(): Promise<OpenServer> {
    if (stopped) throw new Error('The server of managed databases is stopping.');
    opening ??= source.open();
    try {
      current = await opening;
      problem = null;
      return current;
    } catch (error) {
      opening = undefined;
      failed(error);
      throw error;
    }
  }

  async function start(): Promise<void> {
    if (stopped) return;
    if (source.hasDatabases()) {
      // What went wrong is told by `unavailable`.
      await open().catch(() => {});
      return;
    }
    try {
      await source.check();
      problem = null;
    } catch (error) {
      failed(error);
    }
  }

  return {
    unavailable: () => problem,
    start,
    async stop() {
      stopped = true;
      clearTimeout(retry);
      const last = await opening?.catch(() => undefined);
      await last?.close();
    },
    open,
    address() {
      const address = current?.address ?? source.address;
      if (!address) throw new Error('The server of managed databases is not running yet.');
      return address;
    },
  };
}
