import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';

type BackupRow = Selectable<Database['databaseBackups']>;

/** From when to when a database can be brought back, and of what. */
export interface Reach {
  timeline: number;
  /** The first and the last piece of the log without a gap. */
  first: number;
  last: number;
  /** From the earliest to the latest. */
  bases: (Pick<BackupRow, 'id' | 'size'> & { firstWal: number; endedAt: string })[];
  /** What was acknowledged before is in the archive. */
  keptUntil: string;
}

/** Undefined where nothing can be brought back of an archive. */
export async function findReach(db: Kysely<Database>, archiveId: string): Promise<Reach | undefined> {
  const rows = await db
    .selectFrom('databaseBackups')
    .select(['id', 'size', 'timeline', 'firstWal', 'lastWal', 'endedAt'])
    .where('archiveId', '=', archiveId)
    .where('status', '=', 'done')
    .orderBy('endedAt')
    .execute();
  const timeline = rows.at(-1)?.timeline ?? null;
  if (timeline === null) return undefined;
  const { rows: runs } = await sql<{ first: number; last: number; writtenAt: string }>`
    select max(number) filter (where before is distinct from number - 1) as first,
      max(number) as last, max(written_at) as written_at
    from (
      select number, written_at, lag(number) over (order by number) as before
      from database_wal where archive_id = ${archiveId} and timeline = ${timeline}
    ) as numbered
    having count(*) > 0`.execute(db);
  const [run] = runs;
  if (!run) return undefined;
  const bases = rows.flatMap(({ id, size, timeline: of, firstWal, lastWal, endedAt }) =>
    of === timeline &&
    firstWal !== null &&
    lastWal !== null &&
    endedAt !== null &&
    firstWal >= run.first &&
    lastWal <= run.last
      ? [{ id, size, firstWal, endedAt }]
      : [],
  );
  if (bases.length === 0) return undefined;
  return { timeline, first: run.first, last: run.last, bases, keptUntil: run.writtenAt };
}
