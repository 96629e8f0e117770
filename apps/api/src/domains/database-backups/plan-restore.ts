import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { KeptPast } from '../databases/engines/postgres/servers-past.ts';
import { assertHere } from '../databases/server-place.ts';
import { keepLog } from './keep-log.ts';
import { baseKey, walKey } from './kept-objects.ts';
import type { PastParts } from './parts.ts';
import { findReach, type Reach } from './reach.ts';

/** How many times the bytes of a backup in the store it has on the disk, about. */
const UNPACKED = 4;
/** Bytes of a piece of the log on the disk. */
const PIECE = 4 * 1024 ** 2;

/** What of an archive a server is made of. */
export interface RestorePlan {
  /** Bytes in the store. */
  size: number;
  /** Reads it; `told` of each piece in bytes. */
  open(told?: (bytes: number) => void): Pick<KeptPast, 'base' | 'wal' | 'room' | 'until'>;
}

/** What is read for a moment that is within reach; null: the latest. */
export async function planRestore(
  { db, kept }: Pick<PastParts, 'db' | 'kept'>,
  { archiveId, at }: { archiveId: string; at: string | null },
): Promise<RestorePlan> {
  const reach = await findReach(db, archiveId);
  const base = reach && baseFor(reach, at);
  if (!reach || !base) throw new Error('There is no backup that it could begin with.');
  const wal = await walAfter(db, archiveId, { reach, firstWal: base.firstWal, at });
  return {
    size: wal.reduce((sum, { size }) => sum + size, base.size),
    open: (told) => ({
      base: () => kept.get(baseKey(archiveId, base.id), told),
      wal: wal.map(({ name, number }) => ({
        ...{ name, number, timeline: reach.timeline },
        bytes: () => kept.get(walKey(archiveId, name), told),
      })),
      room: base.size * UNPACKED + wal.length * PIECE,
      until: at === null ? undefined : new Date(at),
    }),
  };
}

/** Has all of the log kept that a moment needs. */
export async function keepRest(parts: PastParts, archiveId: string, at: string | null): Promise<void> {
  const { db, past, servers } = parts;
  const reach = await findReach(db, archiveId);
  if (reach && at !== null && new Date(at) < new Date(reach.keptUntil)) return;
  const source = await db
    .selectFrom('databaseArchives')
    .innerJoin('managedDatabases', 'managedDatabases.id', 'databaseArchives.databaseId')
    .where('databaseArchives.id', '=', archiveId)
    .select(['type', 'engineName', 'home'])
    .executeTakeFirst();
  if (source) await assertHere(servers, source);
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
