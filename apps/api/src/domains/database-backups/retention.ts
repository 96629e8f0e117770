import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/**
 * Forgets what was kept long enough: backups from before the days for which a database is kept, but for the newest of
 * them, with which the first of those days begin; and what of its log comes before the earliest that stays. The store is
 * swept of it later. What is being restored or proved loses nothing meanwhile.
 */
export async function forgetOldBackups(db: Kysely<Database>, now = new Date()): Promise<void> {
  const archives = sql`
    select archive.id, ${now.toISOString()}::timestamptz - make_interval(days => keep_days) as since
    from database_archives archive join managed_databases database on database.id = archive.database_id
    where proving_since is null
      and not exists (
        select from database_restores restore join managed_databases restored on restored.id = restore.database_id
        where archive_id = archive.id and restored.status = 'creating'
      )`;
  await sql`
    delete from database_backups backup using (${archives}) as kept
    where backup.archive_id = kept.id and (
      backup.status = 'failed' and backup.started_at < kept.since
      or backup.status = 'done' and backup.ended_at < (
        select max(ended_at) from database_backups
        where archive_id = kept.id and status = 'done' and ended_at < kept.since
      )
    )`.execute(db);
  await sql`
    delete from database_wal wal using (${archives}) as kept
    where wal.archive_id = kept.id and (wal.timeline, wal.number) < all (
      select timeline, first_wal from database_backups
      where archive_id = kept.id and status in ('running', 'done') and first_wal is not null
    )
    and exists (select from database_backups where archive_id = kept.id and status = 'done')`.execute(db);
}
