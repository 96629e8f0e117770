import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Condition } from './conditions.ts';

/** Minutes for which the log of a database may wait for the store: a restart is not told. */
const PATIENCE = 15;

/** Databases whose last backup failed, and those whose changes cannot be kept. */
export async function backupsFailed(db: Kysely<Database>): Promise<Condition[]> {
  const { rows } = await sql<{
    ownerId: string;
    id: string;
    name: string;
    failed: boolean;
    error: string | null;
  }>`
    select database.owner_id, database.id, database.name,
      coalesce(last.status = 'failed', false) as failed, last.error
    from database_archives archive
      join managed_databases database on database.id = archive.database_id
      left join lateral (
        select status, error from database_backups
        where archive_id = archive.id and status <> 'running' order by started_at desc limit 1
      ) last on true
    where last.status = 'failed' or archive.behind_since < now() - make_interval(mins => ${PATIENCE})`.execute(
    db,
  );
  return rows.map(({ failed, error, ...row }) =>
    conditionOf(
      row,
      failed
        ? `The database ${row.name} could not be backed up. ${error}`
        : `What is written to the database ${row.name} can't be kept at the moment: the latest moment to restore is some minutes ago.`,
    ),
  );
}

/** Databases whose last trial restore failed. */
export async function backupsUnproven(db: Kysely<Database>): Promise<Condition[]> {
  const { rows } = await sql<{ ownerId: string; id: string; name: string; detail: string }>`
    select database.owner_id, database.id, database.name, archive.proof_detail as detail
    from database_archives archive
      join managed_databases database on database.id = archive.database_id
    where not archive.proof_succeeded`.execute(db);
  return rows.map(({ detail, ...row }) =>
    conditionOf(row, `The backup of the database ${row.name} was restored on trial, and failed. ${detail}`),
  );
}

function conditionOf(
  { ownerId, id, name }: { ownerId: string; id: string; name: string },
  text: string,
): Condition {
  return {
    ...{ ownerId, text, level: 1 },
    subject: { kind: 'database', id, name },
    path: `/databases/${id}/backups`,
  };
}
