import { atomically, type Database } from '@nephos/db';
import { sql, type Updateable } from 'kysely';
import { ClientFailure } from '../databases/engines/engine.ts';
import { assertHere } from '../databases/server-place.ts';
import { keepDump } from './dumps.ts';
import { keepLog } from './keep-log.ts';
import { baseKey } from './kept-objects.ts';
import type { PastParts } from './parts.ts';

const FAILED = 'The backup could not be made. See the Nephos log, and back it up again.';

/** Makes the backup of a row that is `running`, and says in the row what became of it. May be repeated. */
export async function makeBackup(parts: PastParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, log } = parts;
  const row = await db
    .selectFrom('databaseBackups')
    .innerJoin('databaseArchives', 'databaseArchives.id', 'databaseBackups.archiveId')
    .innerJoin('managedDatabases', 'managedDatabases.id', 'databaseArchives.databaseId')
    .where('databaseBackups.id', '=', id)
    .where('databaseBackups.status', '=', 'running')
    .select(['type', 'engineName', 'password', 'home', 'archiveId'])
    .executeTakeFirst();
  if (!row) return;
  await assertHere(parts.servers, row);
  try {
    const kept = { ...row, id };
    const made = parts.servers[row.type].dumps
      ? await keepDump(parts, kept, signal)
      : await keepServer(parts, kept);
    await conclude(parts, { archiveId: row.archiveId, id, made });
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error, backup: id }, 'a database could not be backed up');
    await db
      .updateTable('databaseBackups')
      .set({ status: 'failed', error: reasonOf(error), size: 0, endedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
  }
}

/** What the database's own client says may be told to its people. */
function reasonOf(error: unknown): string {
  return error instanceof ClientFailure ? `The database could not be read: ${error.message}` : FAILED;
}

type Made = Pick<Updateable<Database['databaseBackups']>, 'size' | 'sha256' | 'lastWal'>;

async function keepServer(
  parts: PastParts,
  { id, archiveId, engineName }: { id: string; archiveId: string; engineName: string },
): Promise<Made> {
  const { db, past, kept, turns } = parts;
  if (!past) throw new Error('There are no servers of their own here.');
  // What is being kept of its log by who does not know of this backup yet has ended by then.
  await turns(engineName, async () => {});
  const made = await past.backup(engineName, async ({ start, archive, end }) => {
    await db
      .updateTable('databaseBackups')
      .set({ timeline: start.timeline, firstWal: start.number })
      .where('id', '=', id)
      .execute();
    const stored = await kept.put(baseKey(archiveId, id), archive);
    return { ...stored, lastWal: (await end).number };
  });
  await keepLog(parts, engineName);
  return made;
}

async function conclude(
  { db, kept }: PastParts,
  { archiveId, id, made }: { archiveId: string; id: string; made: Made },
): Promise<void> {
  const ended = await atomically(db, (trx) =>
    trx
      .updateTable('databaseBackups')
      .set({ ...made, status: 'done', endedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!ended) await kept.delete(baseKey(archiveId, id));
}
