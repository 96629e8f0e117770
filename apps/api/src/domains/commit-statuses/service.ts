import type { CommitStatus } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { assertProject } from '../projects/read.ts';

/** What a project's Git host was last told. */
export async function getCommitStatus(
  { db, ownerId }: UserContext,
  projectId: string,
): Promise<CommitStatus> {
  await assertProject(db, ownerId, projectId);
  const told = await db
    .selectFrom('commitStatuses')
    .select(['deploymentId', 'state', 'toldAt', 'problem'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  return told ?? { deploymentId: null, state: null, toldAt: null, problem: '' };
}

/** Forgets it, as another token may be good for what the former was refused. */
export async function forgetCommitStatus(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  projectId: string,
): Promise<void> {
  await db
    .deleteFrom('commitStatuses')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .execute();
}
