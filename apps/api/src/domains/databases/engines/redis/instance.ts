import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LastStart } from '../engine.ts';
import type { InPlace } from '../places.ts';
import { type Ask, usedMemory } from './redis-client.ts';
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
  /** Ends a server that takes no orders, with its sessions, and starts it with what is kept. */
  restart(): Promise<void>;
  /** Ends the server and its sessions. It does not run again. */
  end(): Promise<void>;
}

/** Milliseconds for a server to remove what does not fit, and to write anew what it has stored. */
const SHRINK_MS = 20_000;
const POLL_MS = 100;
/** Milliseconds in which a server that starts keeps others from starting. */
const PLACE_MS = 30_000;
const RESTART_MS = 500;
const RETRY_MS = 30_000;

interface InstanceParts {
  home: RedisHome;
  name: string;
  programs: RedisPrograms;
  /** Servers that start share the machine. */
  inPlace: InPlace;
  log: Logger;
}

export function createInstance({ home, name, programs, inPlace, log }: InstanceParts): Instance {
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
      const { launched } = await inPlace(async () => {
        signal.throwIfAborted();
        const launched = launchRedis({ programs, home, name, settings: settings(), signal });
        // One that loads for long does not keep others from starting.
        await Promise.race([launched, wait(PLACE_MS, undefined, { ref: false })]);
        return { launched };
      });
      const server = await launched;
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
        const before = settings();
        const { memory, room = memory } = before;
        const next = { ...before, ...changed };
        next.room = Math.max(next.memory, room);
        // One that does not start with its settings may do so with these.
        keepSettings(home.folder, next);
        const server = await open();
        if (next.room > room) await server.limit(next.room);
        await server.administer(apply);
        if (next.memory === next.room || !(await server.administer((ask) => shrunk(ask, next.memory))))
          return;
        keepSettings(home.folder, { ...next, room: undefined });
        await server.limit(next.memory);
      });
      changes = turn.catch(() => {});
      return turn;
    },
    async restart() {
      log.warn({ database: name }, 'Redis takes no orders; ending it');
      await (await open()).kill();
      await open();
    },
    async end() {
      life.abort();
      clearTimeout(retry);
      const last = await running?.catch(() => undefined);
      await last?.stop();
    },
  };
}

/** Whether a server came down to so many bytes in time, in memory and in what it loads when it starts. */
async function shrunk(ask: Ask, memory: number): Promise<boolean> {
  const deadline = Date.now() + SHRINK_MS;
  const used = async () => usedMemory(await ask('INFO', 'memory'));
  let before = Number.POSITIVE_INFINITY;
  for (let now = await used(); now > memory; now = await used()) {
    // There is nothing left that it may remove.
    if (now >= before || Date.now() > deadline) return false;
    before = now;
    await wait(POLL_MS);
  }
  // What it began to write before is of no use.
  if (!(await hasWritten(ask, deadline))) return false;
  await ask('BGREWRITEAOF');
  return hasWritten(ask, deadline);
}

/** Waits for what it writes anew. */
async function hasWritten(ask: Ask, deadline: number): Promise<boolean> {
  for (;;) {
    const said = String(await ask('INFO', 'persistence'));
    if (!/^aof_rewrite_(in_progress|scheduled):1/m.test(said))
      return /^aof_last_bgrewrite_status:ok/m.test(said);
    if (Date.now() > deadline) return false;
    await wait(POLL_MS);
  }
}
