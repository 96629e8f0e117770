import type { NewRestore } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { endWork, tellProgress, WorkCancelled } from '../databases/long-work.ts';
import { credentialsOf } from '../databases/sealed-password.ts';
import { keepLog } from './keep-log.ts';
import { baseKey, walKey } from './kept-objects.ts';
import type { PastParts } from './parts.ts';
import { findReach, type Reach } from './reach.ts';

export type RestoreInput = z.output<typeof NewRestore>;

const FAILED = 'It could not be brought back. See the Nephos log, and retry it.';
const GONE = 'The database that it was to be made of is gone. Delete this one.';
/** Of all the work: unpacking, and then reading the log. */
const UNPACKING = 60;
const REPLAYING = 35;
/** Milliseconds between two words about how far it is. */
const TOLD_EVERY = 500;

/** Makes the database of a row that is `creating` of what was kept of another one, and says in the row what became of it. */
export async function restore(parts: PastParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, log, servers } = parts;
  const row = await db
    .selectFrom('managedDatabases')
    .innerJoin('databaseRestores', 'databaseRestores.databaseId', 'managedDatabases.id')
    .where('id', '=', id)
    .where('status', '=', 'creating')
    .select(['engineName', 'password', 'type', 'archiveId', 'at'])
    .executeTakeFirst();
  if (!row) return;
  await db.updateTable('managedDatabases').set({ work: 'restoring' }).where('id', '=', id).execute();
  try {
    if (row.archiveId === null) {
      await conclude(db, id, { status: 'failed', error: GONE });
      return;
    }
    await bringBack(parts, { ...row, archiveId: row.archiveId, id }, signal);
  } catch (error) {
    if (error instanceof WorkCancelled) return await drop(db, id);
    if (signal.aborted) throw error;
    log.error({ err: error, database: id }, 'a database could not be brought back');
    await conclude(db, id, { status: 'failed', error: FAILED });
    return;
  }
  const stays = await conclude(db, id, { status: 'available', error: '' });
  // Its row was deleted meanwhile, and its server was not there yet to be removed.
  if (!stays) await servers[row.type].remove(row.engineName);
}

interface Wanted {
  id: string;
  engineName: string;
  password: Buffer;
  archiveId: string;
  at: string | null;
}

async function bringBack(parts: PastParts, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const { db, past, kept, secrets } = parts;
  if (!past) throw new Error('There are no servers of their own here.');
  const { id, archiveId, at } = wanted;
  await tellProgress(db, id, 0);
  await keepRest(parts, archiveId, at);
  const reach = await findReach(db, archiveId);
  const base = reach && baseFor(reach, at);
  if (!reach || !base) throw new Error('There is no backup that it could begin with.');
  const wal = await walAfter(db, archiveId, { reach, firstWal: base.firstWal, at });
  const total = wal.reduce((sum, { size }) => sum + size, base.size);
  const tell = teller(parts, id);
  let read = 0;
  const get = async (key: string) =>
    kept.get(key, (bytes) => {
      read += bytes;
      tell.note((read / total) * UNPACKING);
    });
  try {
    await past.recover(credentialsOf(secrets, wanted), {
      base: () => get(baseKey(archiveId, base.id)),
      wal: wal.map(({ name, number }) => ({
        ...{ name, number, timeline: reach.timeline },
        bytes: () => get(walKey(archiveId, name)),
      })),
      until: at === null ? undefined : new Date(at),
      progress: async (done) => tell.note(UNPACKING + done * REPLAYING),
      signal: AbortSignal.any([signal, tell.cancelled]),
    });
  } catch (error) {
    throw tell.cancelled.aborted ? tell.cancelled.reason : error;
  } finally {
    await tell.end();
  }
}

/** Has all of the log kept that a moment needs. */
async function keepRest(parts: PastParts, archiveId: string, at: string | null): Promise<void> {
  const { db, past } = parts;
  const reach = await findReach(db, archiveId);
  if (reach && at !== null && new Date(at) < new Date(reach.keptUntil)) return;
  const source = await db
    .selectFrom('databaseArchives')
    .innerJoin('managedDatabases', 'managedDatabases.id', 'databaseArchives.databaseId')
    .where('databaseArchives.id', '=', archiveId)
    .select('engineName')
    .executeTakeFirst();
  if (!source || !past?.list().some(({ name }) => name === source.engineName)) return;
  await past.finishWal(source.engineName);
  await keepLog(parts, source.engineName);
}

/** The backup to begin with: the last one before the moment. */
function baseFor({ bases }: Reach, at: string | null) {
  return at === null ? bases.at(-1) : bases.findLast(({ endedAt }) => new Date(endedAt) <= new Date(at));
}

/** What of the log has to be read for a moment. */
async function walAfter(
  db: Kysely<Database>,
  archiveId: string,
  { reach, firstWal, at }: { reach: Reach; firstWal: number; at: string | null },
) {
  const rows = await db
    .selectFrom('databaseWal')
    .select(['name', 'number', 'size', 'writtenAt'])
    .where('archiveId', '=', archiveId)
    .where('timeline', '=', reach.timeline)
    .where('number', '>=', firstWal)
    .where('number', '<=', reach.last)
    .orderBy('number')
    .execute();
  const end = at === null ? -1 : rows.findIndex(({ writtenAt }) => new Date(writtenAt) > new Date(at));
  return end === -1 ? rows : rows.slice(0, end + 1);
}

/** Tells how far the work is, in percent, and hears whether it was cancelled. */
function teller({ db, log }: PastParts, id: string) {
  const cancelling = new AbortController();
  let percent = 0;
  const timer = setInterval(() => void say(), TOLD_EVERY);
  let saying: Promise<void> = Promise.resolve();

  function say(): Promise<void> {
    saying = tellProgress(db, id, Math.floor(percent)).catch((error) => {
      if (error instanceof WorkCancelled) cancelling.abort(error);
      else log.warn({ err: error, database: id }, 'how far a database is brought back could not be told');
    });
    return saying;
  }

  return {
    cancelled: cancelling.signal,
    note(now: number) {
      percent = now;
    },
    async end() {
      clearInterval(timer);
      await saying;
    },
  };
}

/** Resolves to whether the row is still there. */
function conclude(
  db: Kysely<Database>,
  id: string,
  end: { status: 'available' | 'failed'; error: string },
): Promise<boolean> {
  return atomically(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('managedDatabases')
      .set(end)
      .where('id', '=', id)
      .where('status', '=', 'creating')
      .executeTakeFirst();
    await endWork(trx, id);
    if (end.status === 'available') {
      await trx.deleteFrom('databaseRestores').where('databaseId', '=', id).execute();
    }
    return numUpdatedRows > 0n;
  });
}

/** Of a restore that was cancelled nothing stays. */
async function drop(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('managedDatabases').where('id', '=', id).where('status', '=', 'creating').execute();
}
