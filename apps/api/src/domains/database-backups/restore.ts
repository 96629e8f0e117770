import type { ManagedDatabase, NewRestore } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { ClientFailure } from '../databases/engines/engine.ts';
import { NoRoom } from '../databases/engines/postgres/servers-past.ts';
import { endWork, tellProgress, WorkCancelled } from '../databases/long-work.ts';
import { credentialsOf } from '../databases/sealed-password.ts';
import { Elsewhere } from '../databases/server-place.ts';
import { createWorkTeller, type WorkTeller } from '../databases/work-teller.ts';
import { loadDump } from './dumps.ts';
import type { PastParts } from './parts.ts';
import { keepRest, planRestore } from './plan-restore.ts';

export type RestoreInput = z.output<typeof NewRestore>;

const FAILED = 'It could not be brought back. See the Nephos log, and retry it.';
const GONE = 'The database that it was to be made of is gone. Delete this one.';
/** Of all the work: unpacking, and then reading the log. */
const UNPACKING = 60;
const REPLAYING = 35;
const LOADING = 98;

/** Makes the database of a row that is `creating` of what was kept of another one, and says in the row what became of it. */
export async function restore(parts: PastParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, log, servers } = parts;
  const row = await db
    .selectFrom('managedDatabases')
    .innerJoin('databaseRestores', 'databaseRestores.databaseId', 'managedDatabases.id')
    .where('id', '=', id)
    .where('status', '=', 'creating')
    .select(['engineName', 'password', 'type', 'archiveId', 'backupId', 'at'])
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
    if (error instanceof WorkCancelled) return await drop(parts, { ...row, id });
    if (signal.aborted || error instanceof Elsewhere) throw error;
    log.error({ err: error, database: id }, 'a database could not be brought back');
    await conclude(db, id, { status: 'failed', error: reasonOf(error) });
    return;
  }
  const stays = await conclude(db, id, { status: 'available', error: '' });
  // Its row was deleted meanwhile, and its server was not there yet to be removed.
  if (!stays) await servers[row.type].remove(row.engineName);
}

/** What the database's own client says may be told to its people. */
function reasonOf(error: unknown): string {
  if (error instanceof NoRoom) return error.message;
  return error instanceof ClientFailure ? `The backup could not be loaded: ${error.message}` : FAILED;
}

interface Wanted {
  id: string;
  engineName: string;
  password: Buffer;
  type: ManagedDatabase['type'];
  archiveId: string;
  backupId: string | null;
  at: string | null;
}

async function bringBack(parts: PastParts, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const { db, servers } = parts;
  await tellProgress(db, wanted.id, 0);
  const tell = createWorkTeller(parts, wanted.id);
  const ended = AbortSignal.any([signal, tell.cancelled]);
  try {
    if (servers[wanted.type].dumps) await restoreDump(parts, { ...wanted, tell, signal: ended });
    else await restoreServer(parts, { ...wanted, tell, signal: ended });
  } catch (error) {
    throw tell.cancelled.aborted ? tell.cancelled.reason : error;
  } finally {
    await tell.end();
  }
}

async function restoreServer(
  parts: PastParts,
  { tell, signal, ...wanted }: Wanted & { tell: WorkTeller; signal: AbortSignal },
): Promise<void> {
  const { past, secrets } = parts;
  if (!past) throw new Error('There are no servers of their own here.');
  const { archiveId, at } = wanted;
  await keepRest(parts, archiveId, at);
  const { size, open } = await planRestore(parts, { archiveId, at });
  await past.recover(credentialsOf(secrets, wanted), {
    ...open(counter(size, (share) => tell.note(share * UNPACKING))),
    progress: async (done) => tell.note(UNPACKING + done * REPLAYING),
    signal,
  });
}

/** Makes a database of a backup of another one; of what is in that now, where `backupId` is null. */
async function restoreDump(
  parts: PastParts,
  { tell, signal, ...wanted }: Wanted & { tell: WorkTeller; signal: AbortSignal },
): Promise<void> {
  const { archiveId, backupId } = wanted;
  const backup = await parts.db
    .selectFrom('databaseBackups')
    .select('size')
    .where('archiveId', '=', archiveId)
    .where('id', '=', backupId)
    .executeTakeFirst();
  const told = counter(backup?.size ?? 0, (share) => tell.note(share * LOADING));
  await loadDump(parts, { ...wanted, told, signal });
}

/** Adds up bytes, and tells which share of all they are. */
function counter(all: number, tell: (share: number) => void): (bytes: number) => void {
  let read = 0;
  return (bytes) => {
    read += bytes;
    tell(all === 0 ? 0 : Math.min(read / all, 1));
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

/** Of a restore that was cancelled nothing stays: neither its row nor what is half there on the server. */
async function drop(
  { db, servers }: PastParts,
  { id, type, engineName }: Pick<Wanted, 'id' | 'type' | 'engineName'>,
): Promise<void> {
  await servers[type].remove(engineName);
  await db.deleteFrom('managedDatabases').where('id', '=', id).where('status', '=', 'creating').execute();
}
