import type { DatabaseImport, databaseImports } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { beginWork } from '../databases/long-work.ts';
import { findAvailable, findDatabase } from '../databases/read.ts';
import { findOwn } from '../storage/service.ts';
import { urlContext } from './open-source.ts';
import type { ImportParts } from './parts.ts';
import type { ImportWork } from './work.ts';

/** Imports that are kept of a database. */
const KEPT = 10;
const SHOWN = [
  ...(['id', 'name', 'status', 'error', 'size', 'statements', 'skipped', 'startedAt', 'endedAt'] as const),
] as const;

/** Throws 404. */
export async function listImports(
  { db, ownerId }: UserContext,
  { id }: { id: string },
): Promise<DatabaseImport[]> {
  await findDatabase(db, ownerId, id);
  return db
    .selectFrom('databaseImports')
    .select(SHOWN)
    .where('ownerId', '=', ownerId)
    .where('databaseId', '=', id)
    .orderBy('id', 'desc')
    .limit(KEPT)
    .execute();
}

/** Throws 404, 400 for a file that is not there, and 409 NOT_AVAILABLE, NOT_POSTGRESQL and BUSY. */
export async function startImport(
  { db, ownerId, audit }: UserContext,
  { secrets }: Pick<ImportParts, 'secrets'>,
  work: ImportWork,
  { id, fileId, url }: z.output<typeof databaseImports.start.input>,
): Promise<DatabaseImport> {
  return atomically(db, async (trx) => {
    const database = await findAvailable(trx, ownerId, id);
    audit.note({ subject: { name: database.name } });
    if (database.type !== 'postgresql') {
      throw conflict('NOT_POSTGRESQL', 'Dumps are imported into PostgreSQL databases only.');
    }
    const name = url === undefined ? await nameOfFile(trx, ownerId, fileId) : new URL(url).host;
    await beginWork(trx, { ownerId, id, work: 'importing' });
    const sealedUrl = url === undefined ? null : secrets.seal(url, urlContext(id, name));
    const made = await trx
      .insertInto('databaseImports')
      .values({ ownerId, databaseId: id, fileId: fileId ?? null, sealedUrl, name })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    await forgetOlder(trx, id);
    await work.enqueue(trx, made.id);
    return made;
  });
}

async function nameOfFile(trx: Kysely<Database>, ownerId: string, fileId = ''): Promise<string> {
  const file = await findOwn(trx, ownerId, fileId);
  if (file) return file.fileName;
  const message = 'This file is not in the storage.';
  throw invalid(message, [{ path: 'fileId', message }]);
}

async function forgetOlder(trx: Kysely<Database>, databaseId: string): Promise<void> {
  const kept = trx
    .selectFrom('databaseImports')
    .select('id')
    .where('databaseId', '=', databaseId)
    .orderBy('id', 'desc')
    .limit(KEPT);
  await trx
    .deleteFrom('databaseImports')
    .where('databaseId', '=', databaseId)
    .where('id', 'not in', kept)
    .execute();
}
