import type { ManagedDatabase } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { archiveOf, isFree } from './archives.ts';
import type { PastParts } from './parts.ts';
import { whyNoPast } from './read-past.ts';
import type { PastWork } from './work.ts';

/** Minutes of the hour over which the databases of that hour are spread. */
const SPREAD = 50;
/** Minutes after one that failed. */
const AGAIN_AFTER = 60;
/** Bytes in the store below which the log since the last backup is as good as none: a server that starts and stops leaves some. */
const HARDLY_WRITTEN = 256 * 1024;

interface Due {
  id: string;
  ownerId: string;
  engineName: string;
  type: ManagedDatabase['type'];
  status: 'available';
  home: string | null;
}

/** Begins the nightly backups of the databases whose hour has come. */
export async function startDueBackups(
  parts: Pick<PastParts, 'db' | 'past' | 'servers'>,
  work: Pick<PastWork, 'backUp'>,
  now = new Date(),
): Promise<void> {
  for (const database of await findDue(parts.db, now)) {
    if (whyNoPast(parts, database) || (await isUnchanged(parts, database))) continue;
    await atomically(parts.db, async (trx) => {
      const { ownerId, id: databaseId } = database;
      if (!(await isFree(trx, databaseId))) return;
      await work.backUp(trx, await archiveOf(trx, { ownerId, databaseId }));
    });
  }
}

/** Those that were not backed up since their last time, which is another minute of the hour for each. */
async function findDue(db: Kysely<Database>, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select id, owner_id, engine_name, type, status, home
    from managed_databases,
      lateral (select
        ${now.toISOString()}::timestamptz as now,
        make_interval(hours => backup_hour, mins => abs(hashtext(id::text) % ${SPREAD})) as at
      ) as clock,
      lateral (select (date_trunc('day', now at time zone 'UTC' - at) + at) at time zone 'UTC' as last) as due
    where status = 'available' and work is null and created_at < last
      and not exists (
        select from database_backups backup
        join database_archives archive on archive.id = backup.archive_id
        where archive.database_id = managed_databases.id
          and (backup.status = 'running'
            or backup.status = 'done' and backup.started_at >= last
            or backup.status = 'failed' and backup.started_at > now - make_interval(mins => ${AGAIN_AFTER}))
      )
    order by last, id`.execute(db);
  return rows;
}

/** Whether its server sleeps and has written next to nothing since its last backup. */
async function isUnchanged(
  { db, past }: Pick<PastParts, 'db' | 'past'>,
  { id, engineName }: Due,
): Promise<boolean> {
  const asleep = past?.list().some(({ name, activity }) => name === engineName && activity === 'asleep');
  if (!asleep) return false;
  const { rows } = await sql<{ written: number }>`
    select coalesce(sum(wal.size), 0)::float8 as written
    from (
      select backup.archive_id, timeline, last_wal from database_backups backup
      join database_archives archive on archive.id = backup.archive_id
      where database_id = ${id} and status = 'done' order by ended_at desc limit 1
    ) last
    left join database_wal wal on wal.archive_id = last.archive_id
      and (wal.timeline, wal.number) > (last.timeline, last.last_wal)
    having count(last.archive_id) > 0`.execute(db);
  const [row] = rows;
  return row !== undefined && row.written < HARDLY_WRITTEN;
}
