import type { DatabaseBackup, DatabasePast } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { notFound } from '../../core/errors.ts';
import { findArchive } from './archives.ts';
import type { PastParts } from './parts.ts';
import { findReach } from './reach.ts';

type BackupRow = Selectable<Database['databaseBackups']>;
type DatabaseRow = Selectable<Database['managedDatabases']>;

const NOT_THESE = 'Nephos does not back up databases of this type. Dump it yourself, or back up its server.';

/** Why nothing is kept of a database, in one sentence that says what to do; '' where it is. */
export function whyNoPast(
  { past, servers }: Pick<PastParts, 'past' | 'servers'>,
  { type, status, engineName, home }: Pick<DatabaseRow, 'type' | 'status' | 'engineName' | 'home'>,
): string {
  if (type !== 'postgresql') {
    const { dumps } = servers[type];
    return dumps ? (dumps.unavailable() ?? '') : NOT_THESE;
  }
  if (!past) {
    return 'Nephos does not back up databases on the server of MANAGED_POSTGRES_URL: back up that server.';
  }
  // Whether it has a server of its own shows once it is made, and the servers were looked at.
  if (status !== 'available' || servers.postgresql.unavailable() !== null) return '';
  // One on another machine is backed up there.
  return home !== null || past.list().some(({ name }) => name === engineName)
    ? ''
    : 'This database shares its server with others and is not backed up: move it to a server of its own.';
}

/** Throws 404. */
export async function findPast(
  db: Kysely<Database>,
  parts: Pick<PastParts, 'past' | 'servers'>,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<DatabasePast> {
  const row = await db
    .selectFrom('managedDatabases')
    .select(['type', 'status', 'engineName', 'home', 'keepDays', 'backupHour as hour'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  const archive = await findArchive(db, id);
  const backups = archive ? await backupsOf(db, archive.id) : [];
  const { keepDays, hour } = row;
  return {
    unavailable: whyNoPast(parts, row),
    kind: row.type === 'postgresql' ? 'moment' : 'backup',
    ...((archive && (await reachOf(db, row.type, archive))) ?? { from: null, until: null }),
    size: archive?.size ?? 0,
    ...{ keepDays, hour, backups },
    lastProof: archive ? proofOf(archive) : null,
    proving: archive?.provingSince != null,
  };
}

/** As `reachable`; of databases that are kept as they were at each backup, from the first of these to the last. */
async function reachOf(
  db: Kysely<Database>,
  type: DatabaseRow['type'],
  archive: { id: string; behindSince: string | null },
): Promise<{ from: string; until: string } | undefined> {
  if (type === 'postgresql') return reachable(db, archive);
  const span = await db
    .selectFrom('databaseBackups')
    .where('archiveId', '=', archive.id)
    .where('status', '=', 'done')
    .select(({ fn }) => [fn.min('startedAt').as('from'), fn.max('startedAt').as('until')])
    .executeTakeFirst();
  return span?.from && span.until ? { from: span.from, until: span.until } : undefined;
}

/**
 * From when to when a database can be brought back; undefined: not at all. What is not in the archive yet is fetched
 * from the server for a restore, so that the latest moment is this one unless the store refuses.
 */
export async function reachable(
  db: Kysely<Database>,
  { id, behindSince }: { id: string; behindSince: string | null },
): Promise<{ from: string; until: string } | undefined> {
  const reach = await findReach(db, id);
  const first = reach?.bases[0];
  if (!reach || !first) return undefined;
  const until = behindSince === null ? await nowOf(db) : reach.keptUntil;
  return { from: first.endedAt, until };
}

async function nowOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::timestamptz(3) as now`.execute(db);
  return rows[0]?.now ?? '';
}

/** Newest first. */
async function backupsOf(db: Kysely<Database>, archiveId: string): Promise<DatabaseBackup[]> {
  const rows = await db
    .selectFrom('databaseBackups')
    .selectAll()
    .where('archiveId', '=', archiveId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(backupOf);
}

/** As the contract shows it. */
export function backupOf(row: BackupRow): DatabaseBackup {
  const { id, status, error, size, startedAt, endedAt } = row;
  return { id, status, error, size, startedAt, endedAt, proof: proofOf(row) };
}

function proofOf(
  row: Pick<BackupRow, 'proofAt' | 'proofSucceeded' | 'proofDetail'>,
): DatabaseBackup['proof'] {
  const { proofAt: at, proofSucceeded: succeeded, proofDetail: detail } = row;
  return at !== null && succeeded !== null ? { at, succeeded, detail } : null;
}
