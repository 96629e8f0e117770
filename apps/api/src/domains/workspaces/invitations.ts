import {
  type CreatedWorkspaceInvitation,
  INVITATION_DAYS,
  MAX_MEMBERS,
  type Workspace,
  type WorkspaceInvitation,
  type WorkspaceInvitationState,
  type WorkspaceRole,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Context, UserContext } from '../../core/context.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import type { NewMail } from '../../platform/mail/mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { hashOf, randomToken } from '../auth/secret-token.ts';
import { assertMayOwn } from '../plans/owned-workspaces.ts';
import type { Plans } from '../plans/plan.ts';
import { IS_OPEN, STATE } from './invitation-links.ts';
import { assertMayGive, isShared, lockMembers } from './membership.ts';
import { findWorkspace } from './read.ts';
import { WORKSPACE_NAME } from './workspace-columns.ts';

/** Open at once in one workspace. */
const MAX_INVITATIONS = 100;

function openInvitations(db: Kysely<Database>, workspaceId: string) {
  return db
    .selectFrom('workspaceInvitations as invitation')
    .leftJoin('users', 'users.id', 'invitation.createdBy')
    .select(['invitation.id', 'invitation.email', 'invitation.role', 'users.email as invitedBy'])
    .select(['invitation.createdAt', 'invitation.expiresAt'])
    .where('invitation.workspaceId', '=', workspaceId)
    .where(IS_OPEN);
}

/** Open invitations to a workspace, newest first, whoever made them. */
export function listInvitations({ db }: UserContext, { id }: { id: string }): Promise<WorkspaceInvitation[]> {
  return openInvitations(db, id).orderBy('invitation.id', 'desc').execute();
}

interface Wanted {
  id: string;
  email?: string | undefined;
  role: WorkspaceRole;
}

/**
 * Makes a link for one person, and mails it to the address that it is for, where that is given. Throws 403 for an
 * owner's role, 409 ALREADY_MEMBER and LIMIT.
 */
export async function invite(
  ctx: UserContext,
  { settings: { publicUrl }, mail }: Pick<Platform, 'settings' | 'mail'>,
  { id: workspaceId, email = '', role }: Wanted,
): Promise<CreatedWorkspaceInvitation> {
  const token = randomToken();
  const link = new URL(`/join/${token}`, publicUrl).href;
  const mailed = mail.isOn && email !== '';
  const created = await atomically(ctx.db, async (trx) => {
    assertMayGive(await lockMembers(trx, ctx, workspaceId), role);
    if (email !== '') await assertNoMember(trx, { workspaceId, email });
    const open = await openInvitations(trx, workspaceId).execute();
    if (open.length >= MAX_INVITATIONS) {
      throw conflict(
        'LIMIT',
        `A workspace can have up to ${MAX_INVITATIONS} open invitations. Revoke one first.`,
      );
    }
    if (mailed) {
      const { name } = await findWorkspace(trx, ctx.user.id, workspaceId);
      const content = { link, by: ctx.user.email, workspace: name, host: publicUrl.host };
      await mail.queueMail(trx, invitationMail(email, content));
    }
    return trx
      .insertInto('workspaceInvitations')
      .values({
        ...{ workspaceId, role, hash: hashOf(token), email: email || null, createdBy: ctx.user.id },
        expiresAt: sql<string>`now() + make_interval(days => ${INVITATION_DAYS})`,
      })
      .returning(['id', 'email', 'role', 'createdAt', 'expiresAt'])
      .executeTakeFirstOrThrow();
  });
  return { ...created, invitedBy: ctx.user.email, link, mailed };
}

function invitationMail(
  to: string,
  { link, by, workspace, host }: { link: string; by: string; workspace: string; host: string },
): NewMail {
  return {
    ...{ to, subject: `${by} invites you to ${workspace}` },
    lines: [`${by} invites you to the workspace ${workspace} on the Nephos console at ${host}.`],
    action: { label: 'Join the workspace', url: link },
    after: [`The link works once, for this address, within ${INVITATION_DAYS} days.`],
  };
}

async function assertNoMember(
  trx: Kysely<Database>,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<void> {
  const member = await trx
    .selectFrom('workspaceMembers')
    .innerJoin('users', 'users.id', 'userId')
    .select('userId')
    .where('workspaceId', '=', workspaceId)
    .where('email', '=', email)
    .executeTakeFirst();
  if (member) throw conflict('ALREADY_MEMBER', `${email} is a member of this workspace.`);
}

/** Ends an invitation. Throws 404 where it is used, revoked or over already. */
export async function revokeInvitation(
  { db, user }: UserContext,
  { id, invitationId }: { id: string; invitationId: string },
): Promise<{ success: true }> {
  const { numUpdatedRows } = await db
    .updateTable('workspaceInvitations')
    .set({ revokedAt: sql<string>`now()`, revokedBy: user.id })
    .where('workspaceId', '=', id)
    .where('id', '=', invitationId)
    .where(IS_OPEN)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
  return { success: true };
}

/** What a link is good for. Throws 404 for none. */
export async function readInvitation(
  { db }: Pick<Context, 'db'>,
  { token }: { token: string },
): Promise<WorkspaceInvitationState> {
  const row = await db
    .selectFrom('workspaceInvitations as invitation')
    .innerJoin('workspaces', 'workspaces.id', 'invitation.workspaceId')
    .leftJoin('users as inviter', 'inviter.id', 'invitation.createdBy')
    .select([
      WORKSPACE_NAME.as('workspace'),
      'invitation.role',
      'inviter.email as invitedBy',
      'invitation.email',
    ])
    .select(STATE.as('state'))
    .where('invitation.hash', '=', hashOf(token))
    .where('workspaces.closingSince', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

const WHY_NOT = {
  used: 'This invitation was used already. Ask for a new one.',
  ended: 'This invitation has expired. Ask for a new one.',
  revoked: 'This invitation was revoked. Ask for a new one.',
} as const;

/**
 * Joins the workspace of a link, and uses it up. Throws 404, 403 INVITATION_EMAIL for somebody else's, and 409
 * INVITATION_USED, INVITATION_ENDED, INVITATION_REVOKED, ALREADY_MEMBER and LIMIT.
 */
export function acceptInvitation(
  { db, user, audit }: UserContext,
  settings: Plans['settings'],
  { token }: { token: string },
): Promise<Workspace> {
  return atomically(db, async (trx) => {
    const named = await trx
      .selectFrom('workspaceInvitations')
      .select('workspaceId')
      .where('hash', '=', hashOf(token))
      .executeTakeFirst();
    if (!named) throw notFound();
    // Before the invitation, as whoever makes one does.
    await lockAccount(trx, named.workspaceId);
    const found = await trx
      .selectFrom('workspaceInvitations')
      .innerJoin('workspaces', 'workspaces.id', 'workspaceId')
      .select(['email', 'role', STATE.as('state')])
      .where('hash', '=', hashOf(token))
      .where('closingSince', 'is', null)
      // Whoever signs up with it at this moment has it kept for themselves.
      .forUpdate('workspaceInvitations')
      .executeTakeFirst();
    if (!found) throw notFound();
    const { state, email, role } = found;
    if (state !== 'open') throw conflict(`INVITATION_${state.toUpperCase()}`, WHY_NOT[state]);
    if (email !== null && email !== user.email) {
      throw forbidden('INVITATION_EMAIL', 'This invitation is for a different email address.');
    }
    if (role === 'owner' && (await isShared(trx, named.workspaceId))) {
      await assertMayOwn({ db: trx, settings }, { userId: user.id, gets: [named.workspaceId] });
    }
    await join(trx, { workspaceId: named.workspaceId, userId: user.id, role });
    await trx
      .updateTable('workspaceInvitations')
      .set({ usedAt: sql<string>`now()`, usedBy: user.id })
      .where('hash', '=', hashOf(token))
      .execute();
    audit.note({ ownerId: named.workspaceId });
    return findWorkspace(trx, user.id, named.workspaceId);
  });
}

/** Makes somebody a member, in a transaction that holds the workspace. Throws 409 ALREADY_MEMBER and LIMIT. */
export async function join(
  trx: Kysely<Database>,
  member: { workspaceId: string; userId: string; role: WorkspaceRole },
): Promise<void> {
  const { members, isMember } = await trx
    .selectFrom('workspaceMembers')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .select(sql<boolean>`coalesce(bool_or(user_id = ${member.userId}), false)`.as('isMember'))
    .where('workspaceId', '=', member.workspaceId)
    .executeTakeFirstOrThrow();
  if (isMember) throw conflict('ALREADY_MEMBER', 'You are a member of this workspace already.');
  if (members >= MAX_MEMBERS) throw conflict('LIMIT', `A workspace can have up to ${MAX_MEMBERS} members.`);
  await trx.insertInto('workspaceMembers').values(member).execute();
}
