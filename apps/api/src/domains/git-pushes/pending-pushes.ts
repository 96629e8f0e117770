import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Doer } from '../../platform/audit.ts';
import type { PushedBranch } from '../deployments/engine/engine.ts';

type Project = Pick<Selectable<Database['projects']>, 'id' | 'ownerId'>;

/**
 * Writes down that a push begins, before git can take anything in. Answers the branches that it is to be compared with:
 * where an earlier push was not settled, those from before that one.
 */
export async function notePush(
  db: Kysely<Database>,
  { project: { id: projectId, ownerId }, by }: { project: Project; by: Doer },
  branches: readonly PushedBranch[],
): Promise<PushedBranch[]> {
  const pushedBy = JSON.stringify(by);
  const { before } = await db
    .insertInto('pendingPushes')
    .values({ projectId, ownerId, pushedBy, before: JSON.stringify(branches) })
    .onConflict((same) => same.column('projectId').doUpdateSet({ pushedBy, beganAt: sql`clock_timestamp()` }))
    .returning('before')
    .executeTakeFirstOrThrow();
  return before;
}

/** Forgets a push: what is deployed of it is queued, or nothing is. */
export async function settlePush(db: Kysely<Database>, { id, ownerId }: Project): Promise<void> {
  await db.deleteFrom('pendingPushes').where('ownerId', '=', ownerId).where('projectId', '=', id).execute();
}

/** A push that is not settled: the branches from before it, and by whom the newest such push is; undefined for none. */
export function findPending(
  db: Kysely<Database>,
  { id, ownerId }: Project,
): Promise<{ before: PushedBranch[]; pushedBy: Doer | null } | undefined> {
  return db
    .selectFrom('pendingPushes')
    .select(['before', 'pushedBy'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .executeTakeFirst();
}
