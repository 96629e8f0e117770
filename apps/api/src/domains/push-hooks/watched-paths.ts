import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';

/** Folders and files of which a push to a project has to change one; none: whatever changed. */
export async function watchedPaths(
  db: Kysely<Database>,
  { ownerId, id }: Pick<Selectable<Database['projects']>, 'ownerId' | 'id'>,
): Promise<string[]> {
  const hook = await db
    .selectFrom('pushHooks')
    .select('paths')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .executeTakeFirst();
  return hook?.paths ?? [];
}
