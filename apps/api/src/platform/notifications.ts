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
/** Milliseconds. Who only listens learns of a connection that died without a word by asking, and within both together. */
const HEARTBEAT = 2000;
const QUERY_TIMEOUT = 2000;

/** Sends `payload` (an id, not data: at most 8,000 bytes) when the transaction `db` commits. */
export async function notify(db: Kysely<Database>, channel: string, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) >= MAX_PAYLOAD) throw new Error(`Notification on ${channel} is too long.`);
  await sql`select pg_notify(${channelName(channel)}, ${payload})`.execute(db);
}

/** One connection of its own that listens for all subscribers and outlives the database server's restarts. */
export function createNotifications(url: string, log: Logger): Notifications {
  const channels = new Map<string, Channel>();
  let client: pg.Client | undefined;
  let connecting = false;
  let closed = false;
  let retryIn = FIRST_RETRY;
  let timer: NodeJS.Timeout | undefined;
  /** Statements follow each other; `pg` is about to give up queueing them. */
  let last: Promise<unknown> = Promise.resolve();

  function execute(on: pg.Client, statement: string): Promise<unknown> {
    const done = last.then(() => (on === client ? on.query(statement) : undefined));
    last = done.catch(() => {});
    return done;
  }

  async function connect(): Promise<void> {
    if (closed || connecting || client) return;
    connecting = true;
    const next = new pg.Client({
      connectionString: url,
      application_name: 'nephos notifications',
      keepAlive: true,
      connectionTimeoutMillis: QUERY_TIMEOUT,
      query_timeout: QUERY_TIMEOUT,
    });
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next, new Error('The connection ended.')));
    next.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''));
    try {
      await next.connect();
      client = next;
      for (const [name, channel] of channels) await listen(next, name, channel);
      retryIn = FIRST_RETRY;
    } catch (error) {
      client = next;
      lose(next, error);
    } finally {
      connecting = false;
    }
    if (client === next) scheduleHeartbeat(next);
  }

  async function listen(on: pg.Client, name: string, channel: Channel): Promise<void> {
    await execute(on, `listen ${name}`);
    if (on !== client) return;
    channel.listening = true;
    for (const { onResync } of channel.subscribers) guarded(() => onResync?.());
  }

  function lose(lost: pg.Client, error: unknown): void {
    if (lost !== client || closed) return;
    client = undefined;
    for (const channel of channels.values()) channel.listening = false;
    clearTimeout(timer);
    log.warn({ err: error, retryIn }, 'lost the connection that listens for notifications');
    lost.end().catch(() => {});
    timer = setTimeout(() => void connect(), retryIn);
    retryIn = Math.min(retryIn * 2, LAST_RETRY);
  }

  function scheduleHeartbeat(on: pg.Client): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        await execute(on, 'select 1');
        if (on === client) scheduleHeartbeat(on);
      } catch (error) {
        lose(on, error);
      }
    }, HEARTBEAT);
  }

  function deliver(name: string, payload: string): void {
    for (const { listener } of channels.get(name)?.subscribers ?? []) guarded(() => listener(payload));
  }

  function guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'a listener to notifications failed');
    }
  }

  function open(name: string): Channel {
    const channel: Channel = { subscribers: new Set(), listening: false };
    channels.set(name, channel);
    const on = client;
    if (on) listen(on, name, channel).catch((error) => lose(on, error));
    else void connect();
    return channel;
  }

  return {
    subscribe(channelNamed, listener, onResync) {
      const name = channelName(channelNamed);
      const channel = channels.get(name) ?? open(name);
      const subscriber: Subscriber = { listener, onResync };
      channel.subscribers.add(subscriber);
      return () => {
        channel.subscribers.delete(subscriber);
        if (channel.subscribers.size > 0 || channels.get(name) !== channel) return;
        channels.delete(name);
        const on = client;
        if (on) execute(on, `unlisten ${name}`).catch((error) => lose(on, error));
      };
    },
    isListening: () => [...channels.values()].every(({ listening }) => listening),
    async close() {
      closed = true;
      clearTimeout(timer);
      channels.clear();
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}

function channelName(name: string): string {
  if (!CHANNEL.test(name)) throw new Error(`${JSON.stringify(name)} is not a channel name.`);
  return name;
}
