import type { Member, WorkspaceRole } from '@nephos/contracts';
import { may } from '@nephos/contracts/constants';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, unprocessable } from '../../core/errors.ts';
import { assertMay } from '../../http/workspace-guard.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { assertMayOwn } from '../plans/owned-workspaces.ts';
import type { Plans } from '../plans/plan.ts';
import { findMember, roleIn } from './read.ts';

interface Named {
  id: string;
  userId: string;
}

/**
 * Holds a workspace's members until the transaction ends, and says what the caller is among them now: they may have
 * been removed since the guard asked. Throws 404 and 403.
 */
export async function lockMembers(
  trx: Kysely<Database>,
  { user }: Pick<UserContext, 'user'>,
  workspaceId: string,
): Promise<WorkspaceRole> {
  await lockAccount(trx, workspaceId);
  const role = await roleIn(trx, { workspaceId, userId: user.id });
  assertMay(role, 'people');
  return role;
}

/** Only an owner decides who is one. */
export function assertMayGive(own: WorkspaceRole, ...roles: WorkspaceRole[]): void {
  if (own !== 'owner' && roles.includes('owner')) {
    throw forbidden('FORBIDDEN', 'Only an owner of this workspace can do this.');
  }
}

/** Whether a workspace is no person's own. */
export async function isShared(db: Kysely<Database>, id: string): Promise<boolean> {
  const workspace = await db
    .selectFrom('workspaces')
    .select('personal')
    .where('id', '=', id)
    .executeTakeFirst();
  return workspace?.personal === false;
}

/** Whether a workspace would be without an owner without them. */
export async function isLastOwner(trx: Kysely<Database>, { id, userId }: Named): Promise<boolean> {
  const owners = await trx
    .selectFrom('workspaceMembers')
    .select('userId')
    .where('workspaceId', '=', id)
    .where('role', '=', 'owner')
    .limit(2)
    .execute();
  return owners.length === 1 && owners[0]?.userId === userId;
}

/** Throws 409 PERSONAL for the person whose workspace it is, and 409 LAST_OWNER. */
async function assertDispensable(trx: Kysely<Database>, { id, userId }: Named): Promise<void> {
  if (id === userId) throw conflict('PERSONAL', 'A personal workspace keeps its owner.');
  if (await isLastOwner(trx, { id, userId })) {
    throw conflict('LAST_OWNER', 'A workspace needs an owner. Make another member one first.');
  }
}

/** Throws 403, 404, 409 LAST_OWNER, PERSONAL and LIMIT, and 422 for a service account that would own. */
export function changeMember(
  ctx: UserContext,
  settings: Plans['settings'],
  { id, userId, role }: Named & { role: WorkspaceRole },
): Promise<Member> {
  return atomically(ctx.db, async (trx) => {
    const own = await lockMembers(trx, ctx, id);
    const member = await findMember(trx, { workspaceId: id, userId });
    assertMayGive(own, role, member.role);
    if (member.role === role) return member;
    if (member.service && role === 'owner') {
      throw unprocessable('SERVICE_ACCOUNT', "A service account can't own a workspace.");
    }
    await assertDispensable(trx, { id, userId });
    if (role === 'owner' && (await isShared(trx, id))) {
      await assertMayOwn({ db: trx, settings }, { userId, email: member.email });
    }
    if (!may(role, 'people')) await revokeLinks(trx, { id, userId, by: ctx.user.id });
    await trx
      .updateTable('workspaceMembers')
      // No group changes what a person decided.
      .set({ role, fromGroup: false })
      .where('workspaceId', '=', id)
      .where('userId', '=', userId)
      .execute();
    return { ...member, role };
  });
}

/** Revokes what somebody has invited others by and nobody has used. */
export async function revokeLinks(
  trx: Kysely<Database>,
  { id, userId, by }: Named & { by: string | null },
): Promise<void> {
  await trx
    .updateTable('workspaceInvitations')
    .set({ revokedAt: sql<string>`now()`, revokedBy: by })
    .where('workspaceId', '=', id)
    .where('createdBy', '=', userId)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute();
}

/** With a membership the database ends tokens and conversations; a service account is nothing without it. */
export async function endMembership(
  trx: Kysely<Database>,
  { id, userId, service, by }: Named & Pick<Member, 'service'> & { by: string | null },
) {
  await revokeLinks(trx, { id, userId, by });
  await trx
    .deleteFrom('workspaceMembers')
    .where('workspaceId', '=', id)
    .where('userId', '=', userId)
    .execute();
  if (service) await trx.deleteFrom('users').where('id', '=', userId).where('service', '=', true).execute();
}

/** Throws 403, 404, 409 LAST_OWNER and PERSONAL. */
export function removeMember(ctx: UserContext, named: Named): Promise<{ success: true }> {
  return atomically(ctx.db, async (trx) => {
    const own = await lockMembers(trx, ctx, named.id);
    const { role, service } = await findMember(trx, { workspaceId: named.id, userId: named.userId });
    assertMayGive(own, role);
    await assertDispensable(trx, named);
    await endMembership(trx, { ...named, service, by: ctx.user.id });
    return { success: true as const };
  });
}

/** Takes everybody else out of somebody's personal workspace, and revokes links to it and those that they made elsewhere. */
export async function leaveAlone(trx: Kysely<Database>, personId: string): Promise<void> {
  await lockAccount(trx, personId);
  await trx
    .deleteFrom('users')
    .where('service', '=', true)
    .where('id', 'in', (query) =>
      query.selectFrom('workspaceMembers').select('userId').where('workspaceId', '=', personId),
    )
    .execute();
  await trx
    .deleteFrom('workspaceMembers')
    .where('workspaceId', '=', personId)
    .where('userId', '<>', personId)
    .execute();
  await trx
    .updateTable('workspaceInvitations')
    .set({ revokedAt: sql<string>`now()` })
    .where(({ eb, or }) => or([eb('workspaceId', '=', personId), eb('createdBy', '=', personId)]))
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute();
}

/** Throws 404, 409 LAST_OWNER and PERSONAL. */
export function leaveWorkspace({ db, user, audit }: UserContext, id: string): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, id);
    await roleIn(trx, { workspaceId: id, userId: user.id });
    await assertDispensable(trx, { id, userId: user.id });
    await endMembership(trx, { id, userId: user.id, service: false, by: user.id });
    audit.note({ ownerId: id });
    return { success: true as const };
  });
}
