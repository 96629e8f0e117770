import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { OpenBackedUp } from '../../backup/backed-up-objects.ts';
import { recordOwnWork } from '../../platform/audit.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { oldObjects } from '../../platform/object-store/old-objects.ts';
import { checkItem, type Problem } from './check-item.ts';
import { SOURCES, type Source, type StoredItem } from './sources.ts';

/** Days within which everything is read again, and before which nothing is. */
const ROUND_DAYS = 30;
/** Bytes that may be ahead of the pace: a small store is read in a few minutes. */
const AHEAD = 64 * 1024 * 1024;
/** Items that are looked up at once. */
const BATCH = 50;
/** Damaged items that are looked at again at a time. */
const AGAIN = 20;
/** Milliseconds for which one turn reads. */
const TURN_MS = 8 * 60_000;

export interface ScrubParts {
  db: Kysely<Database>;
  objects: ObjectStore;
  log: Logger;
  /** Backups that may have what is damaged here, the best first. */
  backups(): AsyncIterable<OpenBackedUp>;
}

/** Where bytes of a backup are until they are known to be the right ones. */
const REPAIRS = 'repairs/';

const NAMES = Object.keys(SOURCES);

/** Reads again what is due by now, and writes down what is not as it was stored. Ends early once `signal` aborts. */
export async function scrub(parts: ScrubParts, signal: AbortSignal, turn = TURN_MS): Promise<void> {
  const until = Date.now() + turn;
  const isOver = () => signal.aborted || Date.now() > until;
  await removeLeftovers(parts.objects);
  await beginRound(parts.db);
  await lookAgain(parts, isOver);
  while (!isOver()) {
    const round = await readRound(parts.db);
    const { source: name, after } = round;
    if (name === null || round.bytes > round.allowed) return;
    const source = SOURCES[name];
    const items = source ? await source.next(parts.db, after, BATCH) : [];
    if (items.length === 0) {
      await goOnToNext(parts.db, name);
      continue;
    }
    let ahead = round.allowed - round.bytes;
    let behind = after;
    for (const item of items) {
      if (isOver() || ahead < 0) break;
      if (!(await look(parts, { name, source: source as Source, item }))) return;
      ahead -= item.size;
      // Where a large one took so long that another server has begun its turn, that one goes on alone.
      if (!(await wentOn(parts.db, { name, behind, item }))) return;
      behind = item.id;
    }
  }
}

/** Writes down that an item was read; false where the round is elsewhere by now. */
async function wentOn(
  db: Kysely<Database>,
  { name, behind, item }: { name: string; behind: string; item: StoredItem },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('storedBytesRounds')
    .set({
      after: item.id,
      objects: sql<number>`objects + ${item.keys.length}`,
      bytes: sql<number>`bytes + ${item.size}`,
    })
    .where('source', '=', name)
    .where('after', '=', behind)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether some server moves objects that the others cannot read yet. */
export const IS_MOVING = sql<boolean>`coalesce(moving_until > now(), false)`.as('isMoving');

async function readRound(db: Kysely<Database>) {
  return db
    .selectFrom('storedBytesRounds')
    .select(['source', 'after', 'bytes'])
    .select(
      // What is stored meanwhile is read as well, so a round may read more than there was when it began.
      sql<number>`(${AHEAD} + greatest(total_bytes, bytes) * extract(epoch from now() - began_at) /
        ${ROUND_DAYS * 86_400})::bigint`.as('allowed'),
    )
    .select(IS_MOVING)
    .executeTakeFirstOrThrow();
}

/** Begins the first round, or the next one, where its time has come. */
async function beginRound(db: Kysely<Database>): Promise<void> {
  const due = await db
    .selectFrom('storedBytesRounds')
    .select('isOnly')
    .where('source', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('beganAt', 'is', null),
        eb('beganAt', '<', sql<string>`now() - make_interval(days => ${ROUND_DAYS})`),
      ]),
    )
    .executeTakeFirst();
  if (!due) return;
  const totals = await Promise.all(Object.values(SOURCES).map((source) => source.total(db)));
  await db
    .updateTable('storedBytesRounds')
    .set({
      ...{ beganAt: sql<string>`now()`, source: NAMES[0] ?? null, after: '', objects: 0, bytes: 0 },
      totalBytes: totals.reduce((sum, total) => sum + total, 0),
    })
    .execute();
}

async function goOnToNext(db: Kysely<Database>, name: string): Promise<void> {
  const next = NAMES[NAMES.indexOf(name) + 1];
  await db
    .updateTable('storedBytesRounds')
    .set({
      ...{ source: next ?? null, after: '' },
      ...(next === undefined && {
        endedAt: sql<string>`now()`,
        endedObjects: sql<number>`objects`,
        endedBytes: sql<number>`bytes`,
      }),
    })
    .execute();
}

interface Looked {
  /** Of the source. */
  name: string;
  source: Source;
  item: StoredItem;
}

/** Reads one item, and brings it back or writes down what is wrong. False: another server may have it, which moves objects. */
async function look(parts: ScrubParts, { name, source, item }: Looked): Promise<boolean> {
  const { db, objects } = parts;
  const problem = await checkItem(objects, item);
  if (problem === 'missing' && (await readRound(db)).isMoving) return false;
  if (!problem) await forget(db, name, item.id);
  // What is deleted loses its row first.
  else if (await source.find(db, item.id)) await mend(parts, { name, source, item, problem });
  return true;
}

async function mend(
  parts: ScrubParts,
  { name, source, item, problem }: Looked & { problem: Problem },
): Promise<void> {
  const { db, log } = parts;
  log.error({ source: name, id: item.id, problem }, 'stored bytes are not as they were stored');
  if (source.discard) return source.discard(parts, item.id);
  await note(db, { name, item, problem });
  if (await bringBack(parts, item)) await forget(db, name, item.id);
}

async function note(
  db: Kysely<Database>,
  { name, item, problem }: { name: string; item: StoredItem; problem: Problem },
): Promise<void> {
  await db
    .insertInto('damagedObjects')
    .values({ source: name, id: item.id, ownerId: item.ownerId, name: item.name, problem })
    .onConflict((conflict) =>
      conflict.columns(['source', 'id']).doUpdateSet({ problem, checkedAt: sql<string>`now()` }),
    )
    .execute();
}

async function forget(db: Kysely<Database>, source: string, id: string): Promise<void> {
  await db.deleteFrom('damagedObjects').where('source', '=', source).where('id', '=', id).execute();
}

/** Stores an item's bytes again, where a backup has the right ones. */
async function bringBack(parts: ScrubParts, item: StoredItem): Promise<boolean> {
  const { db, log } = parts;
  const failed = (error: unknown) =>
    log.warn({ err: error, id: item.id }, 'a backup could not be searched for damaged bytes');
  try {
    for await (const open of parts.backups()) {
      // An older backup may be whole where this one is damaged itself.
      if (!(await bringBackFrom(parts, open, item).catch(failed))) continue;
      log.info({ id: item.id }, 'damaged bytes were brought back from a backup');
      // A disk that rots is to be replaced, also where nothing of it is lost.
      await recordOwnWork(db, {
        ...{ ownerId: null, procedure: 'storedBytes.bringBack' },
        subject: { kind: 'installation', id: null, name: item.name },
      });
      return true;
    }
  } catch (error) {
    failed(error);
  }
  return false;
}

async function bringBackFrom(
  { objects }: ScrubParts,
  open: OpenBackedUp,
  item: StoredItem,
): Promise<boolean> {
  const found = new Map<string, string>();
  try {
    for (const key of item.keys) {
      const bytes = await open(key);
      if (!bytes) return false;
      const aside = `${REPAIRS}${randomUUID()}`;
      found.set(key, aside);
      await objects.put(aside, bytes);
    }
    if (await checkItem(objects, { ...item, keys: [...found.values()] })) return false;
    for (const [key, aside] of found) await objects.copy(aside, key);
    return true;
  } finally {
    for (const aside of found.values()) await objects.delete(aside);
  }
}

/** What a server that was killed has put aside, or could not delete while a backup was made. */
async function removeLeftovers(objects: ObjectStore): Promise<void> {
  for await (const keys of oldObjects(objects, REPAIRS)) for (const key of keys) await objects.delete(key);
}

/** Looks once a day whether what was damaged still is, or is still there at all. */
async function lookAgain(parts: ScrubParts, isOver: () => boolean): Promise<void> {
  const { db } = parts;
  const rows = await db
    .selectFrom('damagedObjects')
    .select(['source as name', 'id'])
    .where('checkedAt', '<', sql<string>`now() - interval '1 day'`)
    .orderBy('checkedAt')
    .limit(AGAIN)
    .execute();
  for (const { name, id } of rows) {
    if (isOver()) return;
    const source = SOURCES[name];
    const item = source && (await source.find(db, id));
    if (source && item) {
      if (!(await look(parts, { name, source, item }))) return;
    } else await forget(db, name, id);
  }
}
