import type { CreatedInvitation, Invitation, NewInvitation } from '@nephos/contracts';
import { INVITATION_DAYS } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { NewMail } from '../../platform/mail/mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { assertFree, lockAccounts } from '../auth/accounts.ts';
import { IS_OPEN } from '../auth/invitations.ts';
import { pageAddress } from '../auth/login-page.ts';
import { hashOf, randomToken } from '../auth/secret-token.ts';

/** Open at once. */
const MAX_INVITATIONS = 100;

const INVITATIONS_OFF =
  'Sign-ups are closed on this server, so a link would let nobody in. To invite people, set SIGNUPS=invite.';

function openInvitations(db: Kysely<Database>) {
  return db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.createdBy')
    .select(['invitations.id', 'invitations.email', 'users.email as invitedBy'])
    .select(['invitations.createdAt', 'invitations.expiresAt'])
    .where(IS_OPEN);
}

/** Open invitations, newest first, whoever made them. */
export function listInvitations({ db }: UserContext): Promise<Invitation[]> {
  return openInvitations(db).orderBy('invitations.id', 'desc').execute();
}

/**
 * Makes a link for one account, and mails it to the address that it is for, where that is given. Throws 409
 * SIGNUPS_CLOSED, EMAIL_TAKEN, and where too many are open.
 */
export async function createInvitation(
  { db, user }: UserContext,
  { settings: { publicUrl, signups }, mail }: Pick<Platform, 'settings' | 'mail'>,
  { email = '' }: z.output<typeof NewInvitation>,
): Promise<CreatedInvitation> {
  if (signups === 'closed') throw conflict('SIGNUPS_CLOSED', INVITATIONS_OFF);
  const token = randomToken();
  const link = new URL(pageAddress('signup', '/', token), publicUrl).href;
  const mailed = mail.isOn && email !== '';
  const created = await atomically(db, async (trx) => {
    await lockAccounts(trx);
    await assertRoom(trx);
    if (email !== '') await assertFree(trx, email);
    if (mailed) await mail.queueMail(trx, invitationMail(email, { link, by: user.email, publicUrl }));
    return trx
      .insertInto('invitations')
      .values({
        hash: hashOf(token),
        email: email || null,
        createdBy: user.id,
        expiresAt: sql<string>`now() + make_interval(days => ${INVITATION_DAYS})`,
      })
      .returning(['id', 'email', 'createdAt', 'expiresAt'])
      .executeTakeFirstOrThrow();
  });
  return { ...created, invitedBy: user.email, link, mailed };
}

function invitationMail(
  to: string,
  { link, by, publicUrl }: { link: string; by: string; publicUrl: URL },
): NewMail {
  return {
    ...{ to, subject: `${by} invites you to Nephos` },
    lines: [`${by} invites you to the Nephos console at ${publicUrl.host}.`],
    action: { label: 'Create your account', url: link },
    after: [`The link works once, for this address, within ${INVITATION_DAYS} days.`],
  };
}

async function assertRoom(trx: Kysely<Database>): Promise<void> {
  const open = await openInvitations(trx).execute();
  if (open.length >= MAX_INVITATIONS) {
    throw conflict('LIMIT', `You can have up to ${MAX_INVITATIONS} open invitations. Revoke one first.`);
  }
}

/** Ends an invitation. Throws 404 where it is used, revoked or over already. */
export async function revokeInvitation(
  { db, user }: UserContext,
  { id }: { id: string },
): Promise<{ success: true }> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ revokedAt: sql<string>`now()`, revokedBy: user.id })
    .where('id', '=', id)
    .where(IS_OPEN)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
  return { success: true };
}
