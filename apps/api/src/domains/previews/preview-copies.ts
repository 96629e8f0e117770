import { randomBytes } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Refusal, unprocessable } from '../../core/errors.ts';
import { findDatabase } from '../databases/read.ts';

/**
 * Makes a database that is a copy of another one as it is now: the row in `trx`, the rest in the background. Throws as
 * the creation of a database does, and 409 where it cannot be copied.
 */
export type CopyDatabase = (
  trx: Kysely<Database>,
  copy: { ownerId: string; id: string; name: string },
) => Promise<{ id: string }>;

/** Characters of a database's name. */
const MAX_NAME = 63;
const RANDOM_BYTES = 3;

/** Says of which databases a project's previews get copies. Throws 404 for another's, and 422 for one without a past. */
export async function setSources(
  trx: Kysely<Database>,
  { ownerId, projectId }: { ownerId: string; projectId: string },
  databaseIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(databaseIds)];
  for (const id of ids) {
    const { type, name, activity } = await findDatabase(trx, ownerId, id);
    if (type === 'postgresql' && activity !== null) continue;
    throw unprocessable(
      'NOT_COPIABLE',
      `Only PostgreSQL databases with a server of their own can be copied, and ${name} is none.`,
    );
  }
  await trx
    .deleteFrom('previewSources')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .execute();
  if (ids.length === 0) return;
  await trx
    .insertInto('previewSources')
    .values(ids.map((databaseId) => ({ ownerId, projectId, databaseId })))
    .execute();
}

/** Gives a preview a copy of each database that was chosen and of which it has none. */
export async function makeCopies(
  trx: Kysely<Database>,
  copyDatabase: CopyDatabase,
  {
    ownerId,
    parentId,
    projectId,
    branch,
  }: { ownerId: string; parentId: string; projectId: string; branch: string },
): Promise<void> {
  const sources = await trx
    .selectFrom('previewSources')
    .innerJoin('managedDatabases', 'managedDatabases.id', 'previewSources.databaseId')
    .select(['managedDatabases.id', 'managedDatabases.name'])
    .where('previewSources.ownerId', '=', ownerId)
    .where('previewSources.projectId', '=', parentId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('previewCopies')
            .select('databaseId')
            .where('previewCopies.projectId', '=', projectId)
            .whereRef('sourceId', '=', 'managedDatabases.id'),
        ),
      ),
    )
    .orderBy('managedDatabases.id')
    .execute();
  for (const { id: sourceId, name } of sources) {
    const { id: databaseId } = await copyUnderFreeName(trx, copyDatabase, {
      ...{ ownerId, id: sourceId },
      name: `${name} (${branch})`,
    });
    await trx.insertInto('previewCopies').values({ databaseId, projectId, sourceId, ownerId }).execute();
  }
}

async function copyUnderFreeName(
  trx: Kysely<Database>,
  copyDatabase: CopyDatabase,
  copy: { ownerId: string; id: string; name: string },
): Promise<{ id: string }> {
  const name = copy.name.slice(0, MAX_NAME).trim();
  try {
    return await copyDatabase(trx, { ...copy, name });
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'EXISTS')) throw error;
    const end = ` ${randomBytes(RANDOM_BYTES).toString('hex')}`;
    return copyDatabase(trx, { ...copy, name: `${name.slice(0, MAX_NAME - end.length)}${end}` });
  }
}
