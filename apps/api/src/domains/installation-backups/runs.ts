import { type InstallationBackup, LISTED_BACKUPS } from '@nephos/contracts';
import { BACKUP_RUNS, type Database, PROOF_RUNS } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { CUT_SHORT } from '../../backup/run-record.ts';
import { notFound } from '../../core/errors.ts';

/** Whether a record says that it runs though its process is gone: who makes a backup, or proves one, has its lock. */
const isCutShort = sql<boolean>`(
  status = 'running'
  and not case kind when 'backup' then ${sql.raw(BACKUP_RUNS)} else ${sql.raw(PROOF_RUNS)} end)`;

/** Backups and trials, newest first. */
const runsOf = (db: Kysely<Database>) =>
  db
    .selectFrom('installationBackups')
    .select(['id', 'kind', 'step', 'done', 'expected', 'bytes', 'added', 'missing', 'startedAt'])
    .select([
      sql<InstallationBackup['status']>`case when ${isCutShort} then 'failed' else status end`.as('status'),
      sql<string>`case when ${isCutShort} then ${CUT_SHORT} else error end`.as('error'),
      sql<string | null>`case when ${isCutShort} then seen_at else ended_at end`.as('endedAt'),
    ])
    .orderBy('id', 'desc');

export function listRuns(db: Kysely<Database>): Promise<InstallationBackup[]> {
  return runsOf(db).limit(LISTED_BACKUPS).execute();
}

/** The latest of a kind that was neither cancelled nor still runs. */
export function latestEnded(
  db: Kysely<Database>,
  kind: InstallationBackup['kind'],
): Promise<InstallationBackup | undefined> {
  return runsOf(db)
    .where('kind', '=', kind)
    .where(sql<boolean>`(status in ('done', 'failed') or ${isCutShort})`)
    .limit(1)
    .executeTakeFirst();
}

/** The latest of a kind. */
export function latestRun(
  db: Kysely<Database>,
  kind: InstallationBackup['kind'],
): Promise<InstallationBackup | undefined> {
  return runsOf(db).where('kind', '=', kind).limit(1).executeTakeFirst();
}

/** Notes that one failed, unless there is a record newer than `before`: its own, or that of one that runs. */
export async function recordFailure(
  db: Kysely<Database>,
  { kind, error, before }: { kind: InstallationBackup['kind']; error: string; before: string | undefined },
): Promise<void> {
  const latest = await latestRun(db, kind);
  if (latest && (latest.id !== before || latest.status === 'running')) return;
  await db
    .insertInto('installationBackups')
    .values({ kind, status: 'failed', error, endedAt: sql<string>`clock_timestamp()` })
    .execute();
}

/** Tells one that runs to stop: it looks every few seconds. Throws 404. */
export async function cancelRun(db: Kysely<Database>, id: string): Promise<void> {
  const run = await runsOf(db).where('id', '=', id).executeTakeFirst();
  if (run?.status !== 'running') throw notFound('NOT_FOUND', 'It has ended meanwhile.');
  await db.updateTable('installationBackups').set({ isCancelled: true }).where('id', '=', id).execute();
}
