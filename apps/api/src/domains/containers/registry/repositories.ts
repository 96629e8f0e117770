import { type Database, type Parameter, prepare } from '@nephos/db';
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

const byName = prepare((db, parameter: Parameter<{ name: string }>) =>
  db.selectFrom('containerRepositories').select(COLUMNS).where('name', '=', parameter('name')).compile(),
);

export async function findRepository(db: Kysely<Database>, name: string): Promise<Repository | undefined> {
  const [repository] = await byName(db, { name });
  return repository;
}

type Owned = Pick<Repository, 'ownerId' | 'name'>;

const insertMissing = prepare(
  (db, parameter: Parameter<Owned>) =>
    db
      .insertInto('containerRepositories')
      .values({ ownerId: parameter('ownerId'), name: parameter('name') })
      .onConflict((conflicting) => conflicting.column('name').doNothing())
      .compile(),
  { unread: true },
);

const owned = prepare((db, parameter: Parameter<Owned>) =>
  db
    .selectFrom('containerRepositories')
    .select(COLUMNS)
    .where('ownerId', '=', parameter('ownerId'))
    .where('name', '=', parameter('name'))
    .compile(),
);

/** The owner's repository of that name, made private where there was none. The name must be in their namespace. */
export async function ensureRepository(trx: Kysely<Database>, { ownerId, name }: Owned): Promise<Repository> {
  await insertMissing(trx, { ownerId, name });
  const [repository] = await owned(trx, { ownerId, name });
  if (!repository) throw new Error(`The repository ${name} is another workspace's.`);
  return repository;
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
