import type { AdminUser, EndedAccess } from '@nephos/contracts';
import { PASSWORD_LINK_HOURS } from '@nephos/contracts/constants';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { NewMail } from '../../platform/mail/mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { assertFree, lockAccounts } from '../auth/accounts.ts';
import { endAccess } from '../auth/end-access.ts';
import { dropFactors, hasSecondFactor } from '../auth/factors/factors.ts';
import { impersonationPath, NO_CONSENT } from '../auth/impersonate.route.ts';
import { makeResetLink } from '../auth/reset-links.ts';
import { holdConsent } from '../auth/sign-in-consent.ts';
import { type HeldPerson, holdPeople, readAdminUser } from './hold-people.ts';

/** Acts on somebody else, who is held meanwhile. Throws 403, also for oneself with `own`, and 404. */
function onOther<T>(
  ctx: UserContext,
  { userId, own }: { userId: string; own: string },
  work: (trx: Kysely<Database>, target: HeldPerson) => Promise<T>,
): Promise<T> {
  if (userId === ctx.user.id) throw forbidden('OWN_ACCOUNT', own);
  return atomically(ctx.db, async (trx) => work(trx, (await holdPeople(trx, ctx, userId)).target));
}

/**
 * Keeps somebody out, from now on and by every way in. What they have stays as it is, their apps go on. Whoever calls
 * is an admin and stays one, so there is always one. Throws 403 and 404.
 */
export function disablePerson(ctx: UserContext, { userId }: { userId: string }): Promise<AdminUser> {
  return onOther(ctx, { userId, own: "You can't disable your own account." }, async (trx, target) => {
    if (target.disabledAt === null) {
      await trx
        .updateTable('users')
        .set({ disabledAt: sql<string>`now()`, disabledBy: ctx.user.id })
        .where('id', '=', userId)
        .execute();
    }
    await endAccess(trx, userId);
    return readAdminUser(trx, userId);
  });
}

/** Lets somebody log in again; what was ended stays so. Throws 403 and 404. */
export function enablePerson(ctx: UserContext, { userId }: { userId: string }): Promise<AdminUser> {
  return onOther(ctx, { userId, own: 'Your own account is enabled.' }, async (trx) => {
    await trx
      .updateTable('users')
      .set({ disabledAt: null, disabledBy: null })
      .where('id', '=', userId)
      .execute();
    return readAdminUser(trx, userId);
  });
}

/** Ends somebody's sessions and access tokens; they can log in again. Throws 403 and 404. */
export function endPersonsAccess(ctx: UserContext, { userId }: { userId: string }): Promise<EndedAccess> {
  const own = 'End your own sessions and access tokens on your Account page.';
  return onOther(ctx, { userId, own }, (trx) => endAccess(trx, userId));
}

/** Makes a link by which somebody sets a new password, once. Throws 403 and 404. */
export function makePasswordLink(
  ctx: UserContext,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { userId }: { userId: string },
): Promise<{ link: string; hours: number }> {
  const own = 'Change your own password on your Account page.';
  return onOther(ctx, { userId, own }, async (trx) => {
    const path = await makeResetLink(trx, userId, PASSWORD_LINK_HOURS);
    return { link: new URL(path, publicUrl).href, hours: PASSWORD_LINK_HOURS };
  });
}

/**
 * Takes the second factor from somebody who has lost it, so that their password lets them in, and tells them by mail.
 * Throws 403, 404 and 409 NO_SECOND_FACTOR.
 */
export function removeSecondFactor(
  ctx: UserContext,
  { settings: { publicUrl }, mail }: Pick<Platform, 'settings' | 'mail'>,
  { userId }: { userId: string },
): Promise<{ success: true }> {
  const own = 'Remove your own second factor on your Account page.';
  return onOther(ctx, { userId, own }, async (trx, { email }) => {
    if (!(await hasSecondFactor(trx, userId))) {
      throw conflict('NO_SECOND_FACTOR', 'This account has no second factor.');
    }
    await dropFactors(trx, userId);
    await mail.queueMail(trx, removedFactorMail(email, { by: ctx.user.email, publicUrl }));
    return { success: true };
  });
}

function removedFactorMail(to: string, { by, publicUrl }: { by: string; publicUrl: URL }): NewMail {
  return {
    ...{ to, subject: 'The second factor of your Nephos account was removed' },
    lines: [
      `${by}, an administrator, removed the second factor of your account at ${publicUrl.host}.`,
      'Your password alone logs you in now. Recovery codes that you have no longer work.',
    ],
    action: { label: 'Set up a new one', url: new URL('/account', publicUrl).href },
    after: [`If you did not ask for that, write to ${by} and change your password.`],
  };
}

/** Begins to sign in as somebody who allows it. Throws 403, also NO_CONSENT, and 404. */
export function signInAs(
  ctx: UserContext,
  secrets: Platform['secrets'],
  { userId }: { userId: string },
): Promise<{ path: string }> {
  const own = 'You are signed in as yourself.';
  return onOther(ctx, { userId, own }, async (trx, { email, disabledAt }) => {
    if (disabledAt !== null) throw forbidden('NO_CONSENT', 'Their account is disabled.');
    if ((await holdConsent(trx, userId)) === undefined) throw forbidden('NO_CONSENT', NO_CONSENT);
    ctx.audit.note({ subject: { kind: 'person', id: userId, name: email } });
    return { path: impersonationPath({ secrets }, { sessionId: ctx.sessionId ?? '', userId }) };
  });
}

/** Gives somebody another address to log in with. Throws 403, 404 and 409 EMAIL_TAKEN. */
export function changePersonsEmail(
  ctx: UserContext,
  { userId, email }: { userId: string; email: string },
): Promise<AdminUser> {
  return atomically(ctx.db, async (trx) => {
    await lockAccounts(trx);
    await holdPeople(trx, ctx, userId);
    const before = await readAdminUser(trx, userId);
    if (before.email === email) return before;
    await assertFree(trx, email);
    await trx.updateTable('users').set({ email }).where('id', '=', userId).execute();
    // Links that went to the former address, or would give the account another one, are good for nothing any more.
    for (const table of ['passwordResets', 'emailChanges'] as const) {
      await trx.deleteFrom(table).where('userId', '=', userId).execute();
    }
    return readAdminUser(trx, userId);
  });
}
