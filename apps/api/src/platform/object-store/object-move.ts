import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Bytes, ObjectStore, StoredObject } from './object-store.ts';

/** Objects that are moved at once: most are small, and wait for the network. */
const AT_ONCE = 4;
/** Milliseconds after which what could not be moved is tried again. */
const PAUSE = 60_000;
/** Hours for which one announcement holds: a server that was stopped in the middle may come back. */
const ANNOUNCED_HOURS = 24;
const ANNOUNCE_EVERY_MS = 10 * 60_000;

/** Moves all objects from one store to another, beside everything else. */
export interface ObjectMove {
  /** What is still to be moved; undefined until it is known. */
  left(): { objects: number; bytes: number } | undefined;
  /** Begins, or goes on where an earlier process ended; resolves once nothing is left, or it was stopped. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Tells all servers that this one has objects that the others cannot read. */
export async function announceMove(db: Kysely<Database>): Promise<void> {
  const movingUntil = sql<string>`now() + make_interval(hours => ${ANNOUNCED_HOURS})`;
  await db.updateTable('storedBytesRounds').set({ movingUntil }).execute();
}

/** `announce` is called again and again until all is moved. */
export function createObjectMove(
  { from, to, log, announce }: { from: ObjectStore; to: ObjectStore; log: Logger; announce(): Promise<void> },
  pause = PAUSE,
): ObjectMove {
  const stopping = new AbortController();
  const { signal } = stopping;
  let left: { objects: number; bytes: number } | undefined;
  let moving: Promise<void> = Promise.resolve();

  /** How much could not be moved. */
  async function moveAll(): Promise<number> {
    const counted = { objects: 0, bytes: 0 };
    for await (const { size } of from.list('')) {
      counted.objects += 1;
      counted.bytes += size;
    }
    left = counted;
    const objects = from.list('')[Symbol.asyncIterator]();
    let failed = 0;
    const work = async () => {
      for (;;) {
        const { value, done } = await objects.next();
        if (done || signal.aborted) return;
        try {
          await moveObject({ from, to }, value, signal);
          counted.objects -= 1;
          counted.bytes -= value.size;
        } catch (error) {
          failed += 1;
          if (!signal.aborted) log.warn({ err: error, key: value.key }, 'an object could not be moved');
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return failed;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const failed = await moveAll();
      if (signal.aborted) return;
      if (failed === 0) return log.info('all objects were moved');
      await wait(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    left: () => left,
    catchUp() {
      const again = setInterval(() => {
        announce().catch((error) => log.warn({ err: error }, 'the move of objects was not announced'));
      }, ANNOUNCE_EVERY_MS);
      moving = run()
        .catch((error: unknown) => log.error({ err: error }, 'objects could not be moved'))
        .finally(() => clearInterval(again));
      return moving;
    },
    async stop() {
      stopping.abort();
      await moving;
    },
  };
}

/** Moves one object: it is deleted where it was once it was read again where it is now. */
async function moveObject(
  { from, to }: { from: ObjectStore; to: ObjectStore },
  { key, size }: StoredObject,
  signal: AbortSignal,
): Promise<void> {
  // One that is there already was moved, or stored anew, since.
  if (!(await to.stat(key))) {
    const bytes = await from.get(key);
    if (!bytes) return;
    const { sha256 } = await to.put(key, until(signal, bytes));
    const moved = await to.get(key);
    if (moved && (await digestOf(until(signal, moved))) !== sha256) {
      await to.delete(key);
      throw new Error(`${size} bytes arrived as others`);
    }
    // It was deleted meanwhile.
    if (!moved) return;
  }
  await from.delete(key);
}

async function* until(signal: AbortSignal, bytes: Bytes): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    signal.throwIfAborted();
    yield piece;
  }
}

async function digestOf(bytes: Bytes): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest('hex');
}
