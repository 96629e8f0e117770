import type { DatabaseBackup, DatabaseBackupsUpdate, DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, unprocessable } from '../../core/errors.ts';
import { newCredentials } from '../databases/credentials.ts';
import { findAvailable, findDatabase } from '../databases/read.ts';
import { sealPassword } from '../databases/sealed-password.ts';
import { assertServer } from '../databases/server-failure.ts';
import { assertLimit } from '../plans/limits.ts';
import { archiveOf, findArchive, isFree } from './archives.ts';
import type { PastParts } from './parts.ts';
import { backupOf, findPast, reachable, whyNoPast } from './read-past.ts';
import type { RestoreInput } from './restore.ts';
import type { PastWork } from './work.ts';

/** Throws 404. */
export async function updatePast(
  { db, ownerId, audit }: UserContext,
  parts: PastParts,
  { id, keepDays, hour }: z.output<typeof DatabaseBackupsUpdate>,
): Promise<DatabasePast> {
  return atomically(db, async (trx) => {
    const { name } = await findDatabase(trx, ownerId, id);
    const before = await findPast(trx, parts, { ownerId, id });
    await trx
      .updateTable('managedDatabases')
      .set({ keepDays: keepDays ?? before.keepDays, backupHour: hour ?? before.hour })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    audit.note({ subject: { name }, before: { keepDays: before.keepDays, hour: before.hour } });
    return findPast(trx, parts, { ownerId, id });
  });
}

/** Throws 404, 409 NOT_AVAILABLE, NO_BACKUPS where none can be made, and BUSY while one is being made. */
export async function startBackup(
  { db, ownerId, audit }: UserContext,
  parts: PastParts,
  work: PastWork,
  id: string,
): Promise<DatabaseBackup> {
  return atomically(db, async (trx) => {
    const row = await findAvailable(trx, ownerId, id);
    audit.note({ subject: { name: row.name } });
    const reason = whyNoPast(parts, row);
    if (reason) throw conflict('NO_BACKUPS', reason);
    const isBusy = !(await isFree(trx, id));
    const archiveId = await archiveOf(trx, { ownerId, databaseId: id });
    const backups = () => trx.selectFrom('databaseBackups').selectAll().where('archiveId', '=', archiveId);
    const running = await backups().where('status', '=', 'running').executeTakeFirst();
    if (running || isBusy)
      throw conflict('BUSY', 'Something is being done with this database. Wait for that.');
    const backupId = await work.backUp(trx, archiveId);
    return backupOf(await backups().where('id', '=', backupId).executeTakeFirstOrThrow());
  });
}

/** Makes the row; the database follows in the background. Throws 403, 404, 409, 422 OUT_OF_REACH and 503. */
export async function startRestore(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: PastParts,
  work: PastWork,
  { id, name, at, backupId }: RestoreInput,
): Promise<ManagedDatabase> {
  const { servers, secrets } = parts;
  return atomically(db, async (trx) => {
    // Whoever wants to swap it waits, and sees this restore.
    await trx
      .selectFrom('managedDatabases')
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .execute();
    const source = await findAvailable(trx, ownerId, id);
    if (source.work === 'swapping') throw conflict('BUSY', 'This database is being swapped. Wait for that.');
    assertServer(servers[source.type]);
    const reason = whyNoPast(parts, source);
    if (reason) throw conflict('NO_BACKUPS', reason);
    const from = servers[source.type].dumps
      ? await dumpToRestore(trx, source, { at, backupId: backupId ?? null })
      : await momentToRestore(trx, id, at);
    await assertLimit(trx, ownerId, {
      of: 'databases',
      refusal: (most) => `You have reached the limit of ${most} databases. Delete one first.`,
    });
    const { type, region, storageSize, sizeClass, sleepAfter, keepDays, backupHour } = source;
    const credentials = newCredentials();
    const inserted = await trx
      .insertInto('managedDatabases')
      .values({
        ...{ ownerId, name, type, region, storageSize, sizeClass, sleepAfter, keepDays, backupHour },
        ...{ engineName: credentials.name, password: sealPassword(secrets, credentials) },
        ...{ work: 'restoring', workPercent: 0 },
      })
      .onConflict((conflicting) => conflicting.columns(['ownerId', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw conflict('EXISTS', `You already have a database named ${name}.`);
    await trx
      .insertInto('databaseRestores')
      .values({ databaseId: inserted.id, ...from })
      .execute();
    await work.restore(trx, inserted.id);
    return findDatabase(trx, ownerId, inserted.id);
  });
}

type Source = Pick<Selectable<Database['databaseRestores']>, 'archiveId' | 'backupId' | 'at'>;

const NO_BACKUP = 'There is no backup of this database yet. Back it up first.';

async function momentToRestore(trx: Kysely<Database>, id: string, at: string | null): Promise<Source> {
  const archive = await findArchive(trx, id);
  const span = archive && (await reachable(trx, archive));
  if (!archive || !span) throw conflict('NO_BACKUPS', NO_BACKUP);
  const moment = at === null ? null : new Date(at);
  if (moment && (moment < new Date(span.from) || moment > new Date(span.until))) {
    throw unprocessable('OUT_OF_REACH', `Choose a moment from ${span.from} to ${span.until}.`);
  }
  return { archiveId: archive.id, backupId: null, at: moment?.toISOString() ?? null };
}

/** A backup by its id, or the one that a moment is of; without either, what is in the database now. */
async function dumpToRestore(
  trx: Kysely<Database>,
  { id: databaseId, ownerId }: { id: string; ownerId: string },
  { at, backupId }: { at: string | null; backupId: string | null },
): Promise<Source> {
  const archiveId = await archiveOf(trx, { ownerId, databaseId });
  if (at === null && backupId === null) return { archiveId, backupId: null, at: null };
  const backup = await trx
    .selectFrom('databaseBackups')
    .select('id')
    .where('archiveId', '=', archiveId)
    .where('status', '=', 'done')
    .where(backupId === null ? sql<boolean>`started_at = ${at}` : sql<boolean>`id = ${backupId}`)
    .executeTakeFirst();
  if (!backup) throw unprocessable('OUT_OF_REACH', 'Choose one of the backups of this database.');
  return { archiveId, backupId: backup.id, at: null };
}
