import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { PushedBranch } from '../deployments/engine/engine.ts';

type Project = Pick<Selectable<Database['projects']>, 'id' | 'ownerId'>;

/**
 * Writes down that a push begins, before git can take anything in. Answers the branches that it is to be compared with:
 * where an earlier push was not settled, those from before that one.
 */
export async function notePush(
  db: Kysely<Database>,
  { id: projectId, ownerId }: Project,
  branches: readonly PushedBranch[],
): Promise<PushedBranch[]> {
  const { before } = await db
    .insertInto('pendingPushes')
    .values({ projectId, ownerId, before: JSON.stringify(branches) })
    .onConflict((same) => same.column('projectId').doUpdateSet({ beganAt: sql`clock_timestamp()` }))
    .returning('before')
    .executeTakeFirstOrThrow();
  return before;
}

/** Forgets a push: what is deployed of it is queued, or nothing is. */
export async function settlePush(db: Kysely<Database>, { id, ownerId }: Project): Promise<void> {
  await db.deleteFrom('pendingPushes').where('ownerId', '=', ownerId).where('projectId', '=', id).execute();
}

/** The branches from before a push that is not settled; undefined where there is none. */
export async function branchesBefore(
  db: Kysely<Database>,
  { id, ownerId }: Project,
): Promise<PushedBranch[] | undefined> {
  const pending = await db
    .selectFrom('pendingPushes')
    .select('before')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .executeTakeFirst();
  return pending?.before;
}
