import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';

/** Messages between replicas and streams, over PostgreSQL's LISTEN and NOTIFY. */
export interface Notifications {
  /**
   * Calls `listener` with each payload of `channel` until the returned function is called. `onResync` is called
   * whenever messages may have been missed, so read the state again: once listening took hold, where it did not at
   * once, and after a lost connection came back.
   */
  subscribe(channel: string, listener: (payload: string) => void, onResync?: () => void): () => void;
  /** Whether every subscriber hears what is sent. */
  isListening(): boolean;
  close(): Promise<void>;
}

interface Subscriber {
  listener: (payload: string) => void;
  onResync: (() => void) | undefined;
}

interface Channel {
  subscribers: Set<Subscriber>;
  /** Whether LISTEN took hold on the connection in use. */
  listening: boolean;
}

/** PostgreSQL's bound on a payload, in bytes. */
const MAX_PAYLOAD = 8000;
/** Identifiers that need no quotes, so that no name is ever spliced as anything else. */
const CHANNEL = /^[a-z][a-z0-9_]{0,62}$/;
const FIRST_RETRY = 100;
const LAST_RETRY = 1000;
/** Milliseconds. A connection that died without a word is noticed by a question, within both of these together. */
const HEARTBEAT = 2000;
const QUERY_TIMEOUT = 2000;

/** Sends `payload` (an id, not data: at most 8,000 bytes) when the transaction `db` commits. */
export async function notify(db: Kysely<Database>, channel: string, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) >= MAX_PAYLOAD) throw new Error(`Notification on ${channel} is too long.`);
  await sql`select pg_notify(${channelName(channel)}, ${payload})`.execute(db);
}

interface ConnectionEvents {
  /** Runs on each new connection. */
  onOpen(): Promise<void>;
  onLost(): void;
  onMessage(channel: string, payload: string): void;
}

/** A connection that comes back when it is lost. */
interface Connection {
  isOpen(): boolean;
  /** Opens it where it is neither open nor about to be. */
  open(): Promise<void>;
  /** Executes a statement after those before it; false where the connection is not there, or was lost meanwhile. */
  execute(statement: string): Promise<boolean>;
  close(): Promise<void>;
}

function newClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'nephos notifications',
    keepAlive: true,
    connectionTimeoutMillis: QUERY_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
  });
}

function createConnection(url: string, log: Logger, events: ConnectionEvents): Connection {
  let client: pg.Client | undefined;
  let connecting = false;
  let closed = false;
  let retryIn = FIRST_RETRY;
  let timer: NodeJS.Timeout | undefined;
  /** Statements follow each other; `pg` is about to give up queueing them. */
  let last: Promise<unknown> = Promise.resolve();

  async function open(): Promise<void> {
    if (closed || connecting || client) return;
    connecting = true;
    const next = newClient(url);
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next, new Error('The connection ended.')));
    next.on('notification', ({ channel, payload }) => events.onMessage(channel, payload ?? ''));
    try {
      await next.connect();
      client = next;
      await events.onOpen();
    } catch (error) {
      client = next;
      lose(next, error);
    } finally {
      connecting = false;
    }
    if (client !== next) return;
    retryIn = FIRST_RETRY;
    scheduleHeartbeat();
  }

  function lose(lost: pg.Client, error: unknown): void {
    if (lost !== client || closed) return;
    client = undefined;
    events.onLost();
    clearTimeout(timer);
    log.warn({ err: error, retryIn }, 'lost the notification connection');
    lost.end().catch(() => {});
    timer = setTimeout(() => void open(), retryIn);
    retryIn = Math.min(retryIn * 2, LAST_RETRY);
  }

  async function execute(statement: string): Promise<boolean> {
    const on = client;
    if (!on) return false;
    const done = last.then(() => (on === client ? on.query(statement) : undefined));
    last = done.catch((error) => lose(on, error));
    await last;
    return on === client;
  }

  function scheduleHeartbeat(): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (await execute('select 1')) scheduleHeartbeat();
    }, HEARTBEAT);
  }

  return {
    isOpen: () => client !== undefined,
    open,
    execute,
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}

/** One connection of its own that listens for all subscribers and outlives the database server's restarts. */
export function createNotifications(url: string, log: Logger): Notifications {
  const channels = new Map<string, Channel>();
  const connection = createConnection(url, log, {
    async onOpen() {
      for (const [name, channel] of channels) await listen(name, channel);
    },
    onLost() {
      for (const channel of channels.values()) channel.listening = false;
    },
    onMessage(name, payload) {
      for (const { listener } of channels.get(name)?.subscribers ?? []) guarded(() => listener(payload));
    },
  });

  function guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'a notification listener failed');
    }
  }

  async function listen(name: string, channel: Channel): Promise<void> {
    if (!(await connection.execute(`listen ${name}`))) return;
    channel.listening = true;
    for (const { onResync } of channel.subscribers) guarded(() => onResync?.());
  }

  function addChannel(name: string): Channel {
    const channel: Channel = { subscribers: new Set(), listening: false };
    channels.set(name, channel);
    void (connection.isOpen() ? listen(name, channel) : connection.open());
    return channel;
  }

  return {
    subscribe(channelNamed, listener, onResync) {
      const name = channelName(channelNamed);
      const channel = channels.get(name) ?? addChannel(name);
      const subscriber: Subscriber = { listener, onResync };
      channel.subscribers.add(subscriber);
      return () => {
        channel.subscribers.delete(subscriber);
        if (channel.subscribers.size > 0 || channels.get(name) !== channel) return;
        channels.delete(name);
        void connection.execute(`unlisten ${name}`);
      };
    },
    isListening: () => [...channels.values()].every(({ listening }) => listening),
    close() {
      channels.clear();
      return connection.close();
    },
  };
}

function channelName(name: string): string {
  if (!CHANNEL.test(name)) throw new Error(`${JSON.stringify(name)} is not a channel name.`);
  return name;
}
