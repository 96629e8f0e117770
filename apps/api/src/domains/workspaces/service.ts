import type { Workspace } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { freeHandle, lockAccounts } from '../auth/accounts.ts';
import { handleFrom } from '../auth/handle.ts';
import { assertMayOwn } from '../plans/owned-workspaces.ts';
import type { Plans } from '../plans/plan.ts';
import { findWorkspace } from './read.ts';

/** Makes a workspace that its maker owns. Throws 409 LIMIT. */
export function createWorkspace(
  { db, user, audit }: UserContext,
  settings: Plans['settings'],
  name: string,
): Promise<Workspace> {
  return atomically(db, async (trx) => {
    await lockAccounts(trx);
    await assertMayOwn({ db: trx, settings }, { userId: user.id });
    const handle = await freeHandle(trx, handleFrom(`${name}@`));
    const { id } = await trx
      .insertInto('workspaces')
      .values({ name, handle })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('workspaceMembers')
      .values({ workspaceId: id, userId: user.id, role: 'owner' })
      .execute();
    audit.note({ ownerId: id });
    return findWorkspace(trx, user.id, id);
  });
}

/** Renames a workspace. */
export async function renameWorkspace(
  { db, user }: UserContext,
  { id, name }: { id: string; name: string },
): Promise<Workspace> {
  await db.updateTable('workspaces').set({ name }).where('id', '=', id).execute();
  return findWorkspace(db, user.id, id);
}

/** Makes a workspace the session's, for calls that name none. Throws 404. */
export async function enterWorkspace(
  { db, user, sessionId }: UserContext,
  { id }: { id: string },
): Promise<Workspace> {
  const workspace = await findWorkspace(db, user.id, id);
  await db
    .updateTable('sessions')
    // Of a member who is removed at this moment it stays the person's own.
    .set({
      workspaceId: sql`(
        select workspace_id from workspace_members
        where workspace_id = ${id} and user_id = ${user.id} and workspace_id <> user_id for key share)`,
    })
    .where('userId', '=', user.id)
    .where('publicId', '=', sessionId ?? '')
    .execute();
  return workspace;
}
