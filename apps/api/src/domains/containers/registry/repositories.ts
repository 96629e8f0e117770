import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** What is asked of a repository on every request. */
export interface Repository {
  id: string;
  ownerId: string;
  name: string;
  isPublic: boolean;
}

const COLUMNS = ['id', 'ownerId', 'name', 'isPublic'] as const;

/** Whether a repository's name lies in someone's namespace. */
export function isInNamespace(name: string, handle: string): boolean {
  return name.startsWith(`${handle}/`);
}

export function findRepository(db: Kysely<Database>, name: string): Promise<Repository | undefined> {
  return db.selectFrom('containerRepositories').select(COLUMNS).where('name', '=', name).executeTakeFirst();
}

/** The owner's repository of that name, made private where there was none. The name must be in their namespace. */
export async function ensureRepository(
  trx: Kysely<Database>,
  { ownerId, name }: Pick<Repository, 'ownerId' | 'name'>,
): Promise<Repository> {
  await trx
    .insertInto('containerRepositories')
    .values({ ownerId, name })
    .onConflict((conflicting) => conflicting.column('name').doNothing())
    .execute();
  return trx
    .selectFrom('containerRepositories')
    .select(COLUMNS)
    .where('ownerId', '=', ownerId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
}

/**
 * Makes a repository that has lost its last tag private, so that what is pushed under its name later is not published
 * by a decision about something else.
 */
export async function hideWithoutTags(trx: Kysely<Database>, repositoryId: string): Promise<void> {
  await trx
    .updateTable('containerRepositories')
    .set({ isPublic: false })
    .where('id', '=', repositoryId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('containerImages')
            .select('id')
            .whereRef('repositoryId', '=', 'containerRepositories.id'),
        ),
      ),
    )
    .execute();
}
