import type { PasswordChange, Profile, Session, User } from '@nephos/contracts';
import type { Earlier, Once } from '@nephos/contracts/implement';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { placeOf } from '../../platform/places.ts';
import type { Platform } from '../../platform/platform.ts';
import { endTokens } from './access-tokens.ts';
import { browserName } from './browser-name.ts';
import { changedPasswordMail } from './changed-password-mail.ts';
import { endSessions, hangUp } from './end-access.ts';
import { checkPassword, wrongPassword } from './own-password.ts';
import { hashPassword } from './passwords.ts';
import { isLive, sessionEnd } from './session-store.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

type Answer = { success: true };

const MAX_SESSIONS = 1000;

/** Changes the names; empty ones are stored as none. */
export function updateProfile({ db, user }: UserContext, profile: z.output<typeof Profile>): Promise<User> {
  return db
    .updateTable('users')
    .set({ firstName: profile.firstName || null, lastName: profile.lastName || null })
    .where('id', '=', user.id)
    .returning(USER_COLUMNS)
    .returning(trialActive)
    .executeTakeFirstOrThrow();
}

/**
 * Sets a new password, ends every other session and every access token with it, and mails that to the person. Throws 403
 * INVALID_CREDENTIALS where the account has a password and the current one is not it.
 */
export async function changePassword(
  { user, sessionId }: UserContext,
  parts: Pick<Platform, 'db' | 'settings' | 'mail'>,
  { currentPassword = '', newPassword }: z.output<typeof PasswordChange>,
  once: Once<UserContext>,
): Promise<Answer | Earlier<Answer>> {
  const checked = await checkPassword(parts, { user }, currentPassword);
  // Outside of the transaction, which would be open for as long as that takes.
  const next = checked.isRight ? await hashPassword(newPassword) : null;
  return once(async ({ db: trx }) => {
    // A repetition of a change that was made has a password that is right no more.
    if (!checked.isRight) throw wrongPassword();
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ passwordHash: next })
      .where('id', '=', user.id)
      // The hash has to be the one that was checked above, and not one that another change has put there since.
      .where('passwordHash', 'is not distinct from', checked.passwordHash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw wrongPassword();
    await endSessions(trx, user.id, sessionId);
    await endTokens(trx, user.id);
    await parts.mail.queueMail(
      trx,
      changedPasswordMail(user.email, parts.settings, [
        'A new password was set on the Account page. All other sessions were logged out and all access tokens revoked.',
      ]),
    );
    return { success: true as const };
  });
}

/** The caller's live sessions, newest first. */
export async function listSessions({ db, user, sessionId }: UserContext): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['publicId as id', 'userAgent', 'ipAddress', 'createdAt', sessionEnd.as('expiresAt')])
    .where('userId', '=', user.id)
    // Those of administrators stand with the consent to them.
    .where('impersonatorId', 'is', null)
    .where(isLive)
    .orderBy('createdAt', 'desc')
    .orderBy('publicId')
    .limit(MAX_SESSIONS)
    .execute();
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      place: await placeOf(row.ipAddress),
      device: browserName(row.userAgent),
      current: row.id === sessionId,
    })),
  );
}

/** Ends one of the caller's sessions, the present one included. Throws 404. */
export async function revokeSession(
  { db, user }: UserContext,
  { id }: { id: string },
): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('userId', '=', user.id)
    .where('publicId', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  await hangUp(db, user.id);
  return { success: true };
}

/** Ends all of the caller's sessions but the present one, those in which they are signed in as others included. */
export async function endOtherSessions({ db, user, sessionId }: UserContext): Promise<{ success: true }> {
  await endSessions(db, user.id, sessionId);
  return { success: true };
}
