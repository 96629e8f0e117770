import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LastStart } from '../engine.ts';
import type { Ask } from './redis-client.ts';
import { type InstanceSettings, MOST_CLIENTS } from './redis-config.ts';
import { keepSettings, type RedisHome, readSettings } from './redis-home.ts';
import type { RedisPrograms } from './redis-programs.ts';
import { launchRedis, type RedisServer } from './redis-server.ts';

/** One database's own Redis, kept running. */
export interface Instance {
  /** Connections of clients. */
  readonly connections: number;
  readonly lastStart: LastStart;
  /** What is kept of it. */
  settings(): InstanceSettings;
  /** Starts it unless it runs. Rejects where it cannot be started; it is tried again after a while. */
  open(): Promise<RedisServer>;
  /** Takes a client in: the path of the socket, undefined where there is no room. Who was let in has to `leave`. */
  enter(): Promise<string | undefined>;
  leave(): void;
  /** Keeps other settings, then does with the running server what brings it to them. One change after the other. */
  change(changed: Partial<InstanceSettings>, apply: (ask: Ask) => Promise<unknown>): Promise<void>;
  /** Ends the server and its sessions. It does not run again. */
  end(): Promise<void>;
}

const RESTART_MS = 500;
const RETRY_MS = 30_000;

interface InstanceParts {
  home: RedisHome;
  name: string;
  programs: RedisPrograms;
  log: Logger;
}

export function createInstance({ home, name, programs, log }: InstanceParts): Instance {
  const life = new AbortController();
  const { signal } = life;
  let running: Promise<RedisServer> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let lastStart: LastStart = 'untried';
  let connections = 0;
  let changes: Promise<unknown> = Promise.resolve();
  const settings = () => readSettings(home.folder);

  /** One start. After one that failed the next caller tries again, or a timer does. */
  async function begin(): Promise<RedisServer> {
    clearTimeout(retry);
    try {
      signal.throwIfAborted();
      const server = await launchRedis({ programs, home, name, settings: settings() });
      lastStart = 'worked';
      void server.exited.then(() => {
        if (signal.aborted) return;
        log.error({ database: name }, 'Redis ended unexpectedly; starting it again');
        running = wait(RESTART_MS, undefined, { signal }).then(begin);
        running.catch(() => {});
      });
      return server;
    } catch (error) {
      running = undefined;
      if (!signal.aborted) {
        lastStart = 'failed';
        log.error({ err: error, database: name }, 'Redis did not start');
        retry = setTimeout(() => void open().catch(() => {}), RETRY_MS).unref();
      }
      throw error;
    }
  }

  function open(): Promise<RedisServer> {
    running ??= begin();
    return running;
  }

  return {
    get connections() {
      return connections;
    },
    get lastStart() {
      return lastStart;
    },
    settings,
    open,
    async enter() {
      const server = await open();
      if (connections >= MOST_CLIENTS) return undefined;
      connections += 1;
      return server.socket();
    },
    leave() {
      connections -= 1;
    },
    change(changed, apply) {
      const turn = changes.then(async () => {
        const server = await open();
        const before = settings();
        const next = { ...before, ...changed };
        keepSettings(home.folder, next);
        if (next.memory !== before.memory) await server.limit(next.memory);
        await server.administer(apply);
      });
      changes = turn.catch(() => {});
      return turn;
    },
    async end() {
      life.abort();
      clearTimeout(retry);
      const last = await running?.catch(() => undefined);
      await last?.stop();
    },
  };
}
