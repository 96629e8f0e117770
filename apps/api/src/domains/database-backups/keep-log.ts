import type { FinishedWal } from '@nephos/db/embedded';
import { sql } from 'kysely';
import { walKey } from './kept-objects.ts';
import type { PastParts } from './parts.ts';

/** What of a server's log belongs into an archive; undefined: nothing is needed of it. */
interface Wanted {
  archiveId: string;
  timeline: number;
  first: number;
}

/** Not now: a backup begins, or the database is changing places. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}

type Parts = Pick<PastParts, 'db' | 'past' | 'kept' | 'turns'>;

/**
 * Keeps what a server has finished of its log, from its first backup on. Until then PostgreSQL keeps the files. Throws
 * `NotNow`, and with the store.
 */
export function keepLog(parts: Parts, name: string): Promise<void> {
  const { past, turns } = parts;
  return turns(name, async () => {
    let wanted: Promise<Wanted | undefined> | undefined;
    await past?.takeWal(name, async (wal) => {
      wanted ??= findWanted(parts, name);
      const at = await wanted;
      if (at && wal.timeline === at.timeline && wal.number >= at.first) await keep(parts, at, wal);
    });
  });
}

async function findWanted({ db }: Pick<Parts, 'db'>, name: string): Promise<Wanted | undefined> {
  const rows = await db
    .selectFrom('managedDatabases')
    .leftJoin('databaseArchives', 'databaseArchives.databaseId', 'managedDatabases.id')
    .leftJoin('databaseBackups', (join) =>
      join
        .onRef('databaseBackups.archiveId', '=', 'databaseArchives.id')
        .on('databaseBackups.status', 'in', ['running', 'done']),
    )
    .where('engineName', '=', name)
    .select([
      'work',
      'databaseArchives.id as archiveId',
      'databaseBackups.id as backupId',
      'timeline',
      'firstWal',
    ])
    .execute();
  const [row] = rows;
  if (!row || row.work === 'swapping') throw new NotNow();
  const begun = rows.filter(({ backupId }) => backupId !== null);
  if (row.archiveId === null || begun.length === 0) return undefined;
  const known = begun.flatMap(({ timeline, firstWal }) =>
    timeline !== null && firstWal !== null ? [{ timeline, first: firstWal }] : [],
  );
  if (known.length === 0) throw new NotNow();
  const timeline = Math.max(...known.map((each) => each.timeline));
  const first = Math.min(...known.flatMap((each) => (each.timeline === timeline ? [each.first] : [])));
  return { archiveId: row.archiveId, timeline, first };
}

async function keep({ db, kept }: Parts, { archiveId }: Wanted, wal: FinishedWal): Promise<void> {
  const { name, timeline, number, bytes } = wal;
  const stored = await kept.put(walKey(archiveId, name), bytes);
  // What its file says, but not of a time to come.
  const writtenAt = sql<string>`least(${wal.writtenAt.toISOString()}::timestamptz, clock_timestamp())`;
  await db
    .insertInto('databaseWal')
    .values({ archiveId, timeline, number, name, ...stored, writtenAt })
    .onConflict((conflicting) =>
      conflicting.columns(['archiveId', 'timeline', 'number']).doUpdateSet({ ...stored, writtenAt }),
    )
    .execute();
}
