import type { Logger } from 'pino';
import type { Notifications } from './notifications.ts';

/** Keeps what is held in memory as the database has it. */
export interface ChangeFollower {
  /** Has all of it looked at. Resolves once it is there, or could not be read, which is tried again. */
  load(): Promise<void>;
  /** Does so, and follows each change from then on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChangeFollowerParts {
  notifications: Pick<Notifications, 'subscribe'>;
  log: Logger;
  /** Its payloads are keys of what changed. */
  channel: string;
  /** What the log says where reading failed. */
  failure: string;
  /** Reads everything, or adds the keys of what has to be read to those that are known to have changed. */
  readAll(changed: Set<string>): Promise<void>;
  readSome(keys: readonly string[]): Promise<void>;
}

/** Keys read at once: bounds memory, and joins the changes of a burst. */
const BATCH = 200;
/** Milliseconds. */
const RETRY = 500;

/** One read is under way at a time; what changes meanwhile is its next round. */
export function createChangeFollower(parts: ChangeFollowerParts): ChangeFollower {
  const { notifications, log, channel, failure } = parts;
  const changed = new Set<string>();
  /** Anything may have changed. */
  let missedSome = false;
  let stopped = false;
  let work: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  async function readChanged(): Promise<void> {
    const keys = [...changed.values().take(BATCH)];
    for (const key of keys) changed.delete(key);
    try {
      await parts.readSome(keys);
    } catch (error) {
      for (const key of keys) changed.add(key);
      throw error;
    }
  }

  async function catchUp(): Promise<void> {
    try {
      while (!stopped && (missedSome || changed.size > 0)) {
        if (!missedSome) {
          await readChanged();
          continue;
        }
        missedSome = false;
        await parts.readAll(changed);
      }
    } catch (error) {
      log.warn({ err: error }, failure);
      missedSome = true;
      retry = setTimeout(() => void begin(), RETRY).unref();
    }
  }

  function begin(): Promise<void> {
    clearTimeout(retry);
    work ??= catchUp().finally(() => {
      work = undefined;
    });
    return work;
  }

  function load(): Promise<void> {
    missedSome = true;
    return begin();
  }

  return {
    load,
    start() {
      const take = (key: string) => {
        changed.add(key);
        void begin();
      };
      unsubscribe = notifications.subscribe(channel, take, () => void load());
      return load();
    },
    async stop() {
      stopped = true;
      unsubscribe();
      await work;
      clearTimeout(retry);
    },
  };
}
