import type { DatabasePast } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import { findAvailable } from '../databases/read.ts';
import { assertHere } from '../databases/server-place.ts';
import { isFree } from './archives.ts';
import type { BackupCare } from './care.ts';
import { proveDump } from './dumps.ts';
import type { Finding } from './finding.ts';
import type { PastParts } from './parts.ts';
import { proveServer } from './prove-server.ts';
import { findPast, whyNoPast } from './read-past.ts';

const FAILED = 'It could not be restored. See the Nephos log.';

/** Throws 404, 409 NOT_AVAILABLE and BUSY, and 409 NO_BACKUPS where there is nothing to prove. */
export async function startProof(
  { db, ownerId, audit }: UserContext,
  parts: PastParts,
  care: Pick<BackupCare, 'prove'>,
  id: string,
): Promise<DatabasePast> {
  return atomically(db, async (trx) => {
    const row = await findAvailable(trx, ownerId, id);
    audit.note({ subject: { name: row.name } });
    const reason = whyNoPast(parts, row);
    if (reason) throw conflict('NO_BACKUPS', reason);
    if (!(await isFree(trx, id)))
      throw conflict('BUSY', 'Something is being done with this database. Wait for that.');
    const archive = await trx
      .selectFrom('databaseArchives')
      .select('id')
      .where('databaseId', '=', id)
      .where(hasBackup)
      .executeTakeFirst();
    if (!archive) throw conflict('NO_BACKUPS', 'There is no backup of this database yet. Back it up first.');
    await beginProof(trx, care, { id: archive.id, databaseId: id });
    return findPast(trx, parts, { ownerId, id });
  });
}

const hasBackup = sql<boolean>`exists (
  select from database_backups where archive_id = database_archives.id and status = 'done'
)`;

/** Days after a proof, after one that failed, and after the first backup. */
const DAYS = { proved: 7, failed: 1, first: 1 };

/** Begins the proofs that are due. */
export async function startDueProofs(
  db: Kysely<Database>,
  care: Pick<BackupCare, 'prove'>,
  now = new Date(),
): Promise<void> {
  const due = await db
    .selectFrom('databaseArchives')
    .innerJoin('managedDatabases', 'managedDatabases.id', 'databaseId')
    .select(['databaseArchives.id', 'databaseId'])
    .where('status', '=', 'available')
    .where('work', 'is', null)
    .where('provingSince', 'is', null)
    .where(hasBackup)
    .where(
      sql<boolean>`coalesce(
        proof_at + make_interval(days => case when proof_succeeded then ${DAYS.proved}::int else ${DAYS.failed}::int end),
        database_archives.created_at + make_interval(days => ${DAYS.first})
      ) < ${now.toISOString()}::timestamptz`,
    )
    .execute();
  for (const { id, databaseId } of due) {
    await atomically(db, async (trx) => {
      if (await isFree(trx, databaseId)) await beginProof(trx, care, { id, databaseId });
    });
  }
}

async function beginProof(
  trx: Kysely<Database>,
  care: Pick<BackupCare, 'prove'>,
  { id: archiveId, databaseId }: { id: string; databaseId: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('databaseArchives')
    .set({ provingSince: sql<string>`clock_timestamp()` })
    .where('id', '=', archiveId)
    // It may have gone with what is in it to another one.
    .where('databaseId', '=', databaseId)
    .where('provingSince', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await care.prove(trx, archiveId);
}

/** Restores the latest backup of an archive on trial, and says in the rows what was found. May be repeated. */
export async function proveBackup(parts: PastParts, archiveId: string, signal: AbortSignal): Promise<void> {
  const { db, servers, log } = parts;
  const row = await db
    .selectFrom('databaseBackups')
    .innerJoin('databaseArchives', 'databaseArchives.id', 'databaseBackups.archiveId')
    .innerJoin('managedDatabases', 'managedDatabases.id', 'databaseArchives.databaseId')
    .where('databaseArchives.id', '=', archiveId)
    .where('provingSince', 'is not', null)
    .where('databaseBackups.status', '=', 'done')
    .orderBy('databaseBackups.endedAt', 'desc')
    .select(['databaseBackups.id as backupId', 'type', 'engineName', 'password', 'home'])
    .executeTakeFirst();
  if (!row) return conclude(db, { archiveId, backupId: null, finding: null });
  await assertHere(servers, row);
  const proved = { ...row, archiveId };
  try {
    const finding = servers[row.type].dumps
      ? await proveDump(parts, proved, signal)
      : await proveServer(parts, proved, signal);
    await conclude(db, { ...proved, finding });
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error, archive: archiveId }, 'a backup could not be restored on trial');
    await conclude(db, { ...proved, finding: { succeeded: false, detail: FAILED } });
  }
}

interface Conclusion {
  archiveId: string;
  backupId: string | null;
  /** Null: there was nothing to prove. */
  finding: Finding | null;
}

async function conclude(db: Kysely<Database>, { archiveId, backupId, finding }: Conclusion): Promise<void> {
  const found = finding && {
    proofAt: sql<string>`now()`,
    proofSucceeded: finding.succeeded,
    proofDetail: finding.detail,
  };
  await atomically(db, async (trx) => {
    await trx
      .updateTable('databaseArchives')
      .set({ provingSince: null, ...found })
      .where('id', '=', archiveId)
      .execute();
    if (found && backupId) {
      await trx.updateTable('databaseBackups').set(found).where('id', '=', backupId).execute();
    }
  });
}
