import type { User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { CallerWorkspace } from '../../core/context.ts';
import { trialActive, USER_COLUMNS } from '../auth/user-columns.ts';
import { WORKSPACE_COLUMNS, workspaceOf } from './workspace-columns.ts';

/** The owner who joined a workspace first, in whose name work is done for it in the background; undefined for one that is gone. */
export async function readActing(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<{ user: User; workspace: CallerWorkspace } | undefined> {
  const row = await db
    .selectFrom('workspaceMembers')
    .innerJoin('workspaces', 'workspaces.id', 'workspaceMembers.workspaceId')
    .innerJoin('users', 'users.id', 'workspaceMembers.userId')
    .select(USER_COLUMNS)
    .select(trialActive)
    .select(WORKSPACE_COLUMNS)
    .where('workspaceMembers.workspaceId', '=', workspaceId)
    .where('workspaceMembers.role', '=', 'owner')
    .orderBy('workspaceMembers.joinedAt')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { workspace, ...user } = workspaceOf(row);
  return workspace ? { user, workspace } : undefined;
}
