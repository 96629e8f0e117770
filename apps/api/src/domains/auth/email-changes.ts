import type { EmailChange, NewEmail } from '@nephos/contracts';
import type { Earlier, Once } from '@nephos/contracts/implement';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { unavailable, unprocessable } from '../../core/errors.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { assertFree, lockAccounts } from './accounts.ts';
import { CONFIRM_PATH, dropPending, UNDO_PATH } from './email-change-links.ts';
import { endAccess } from './end-access.ts';
import { dropFactorsSince } from './factors/factors.ts';
import { dropIdentitiesSince } from './identities.ts';
import { checkPassword, wrongPassword } from './own-password.ts';
import { recordByLink } from './record-entrance.ts';
import { makeResetLink } from './reset-links.ts';
import { linkInvalid } from './resets.ts';
import { hashOf, randomToken } from './secret-token.ts';

type Parts = Pick<Platform, 'settings' | 'db' | 'mail'>;

/** A new address has this long to prove itself. */
const CONFIRM_HOURS = 24;
/** The former one can take the account back for this long. */
const UNDO_DAYS = 7;
/** Hours to set a new password, after that. */
const RESET_HOURS = 1;

const isOpen = sql<boolean>`email_changes.ends_at > now()`;

export async function readEmailChange(
  { db, user }: UserContext,
  { isOn }: Pick<Mail, 'isOn'>,
): Promise<EmailChange> {
  const pending = await db
    .selectFrom('emailChanges')
    .select(['email', 'endsAt as expiresAt'])
    .where('userId', '=', user.id)
    .where('confirmedAt', 'is', null)
    .where(isOpen)
    .executeTakeFirst();
  return { mail: isOn, pending: pending ?? null };
}

/**
 * Mails a link to the new address, in the place of any before. Whether an account has that address is told only to who
 * opens it. Throws 503 where mail is off, 403 INVALID_CREDENTIALS, 422 NO_PASSWORD and SAME_EMAIL.
 */
export async function changeEmail(
  ctx: UserContext,
  parts: Parts,
  { email, password }: z.output<typeof NewEmail>,
  once: Once<UserContext>,
): Promise<EmailChange | Earlier<EmailChange>> {
  const { user } = ctx;
  const { settings, mail } = parts;
  if (!mail.isOn)
    throw unavailable('This server sends no mail. Ask an administrator to change your address.');
  const { isRight, passwordHash } = await checkPassword(parts, ctx, password);
  const token = randomToken();
  return once(async (inner) => {
    const trx = inner.db;
    if (passwordHash === null) {
      throw unprocessable('NO_PASSWORD', 'Set a password for your account first.');
    }
    if (!isRight) throw wrongPassword();
    if (email === user.email) throw unprocessable('SAME_EMAIL', 'This is your address already.');
    await dropPending(trx, user.id);
    await trx
      .insertInto('emailChanges')
      .values({
        ...{ userId: user.id, formerEmail: user.email, email, hash: hashOf(token) },
        endsAt: sql<string>`now() + make_interval(hours => ${CONFIRM_HOURS})`,
      })
      .execute();
    await mail.queueMail(trx, {
      ...{ to: email, subject: 'Confirm your new address for Nephos' },
      lines: [`The Nephos account ${user.email} is to have this address: ${email}.`],
      action: { label: 'Confirm the address', url: linkTo(settings, CONFIRM_PATH, token) },
      after: [
        `The link works for ${CONFIRM_HOURS} hours. If you know nothing of it, ignore this mail: nothing changes.`,
      ],
    });
    return readEmailChange(inner, mail);
  });
}

/** Withdraws it, if it is under way. */
export async function cancelEmailChange({ db, user }: UserContext): Promise<{ success: true }> {
  await dropPending(db, user.id);
  return { success: true };
}

function linkTo({ publicUrl }: Parts['settings'], path: string, token: string): string {
  return new URL(`${path}?token=${token}`, publicUrl).href;
}

/** What a link does: it gives an account the one address, or the other one back. */
export type EmailLink = 'confirm' | 'undo';

/** The change that a link is about; undefined where it is used, too old, or none. */
export function readEmailLink(
  db: Kysely<Database>,
  kind: EmailLink,
  token: string,
): Promise<
  { id: string; userId: string; email: string; formerEmail: string; createdAt: string } | undefined
> {
  return db
    .selectFrom('emailChanges')
    .select(['id', 'userId', 'email', 'formerEmail', 'createdAt'])
    .where('hash', '=', hashOf(token))
    .where('confirmedAt', kind === 'confirm' ? 'is' : 'is not', null)
    .where(isOpen)
    .executeTakeFirst();
}

/**
 * Gives the account its new address, and tells the former one, which can undo it. Throws 403 LINK_INVALID, and 409
 * EMAIL_TAKEN.
 */
export function confirmEmail({ db, settings, mail }: Parts, token: string): Promise<{ email: string }> {
  const undo = randomToken();
  return db.transaction().execute(async (trx) => {
    await lockAccounts(trx);
    const change = await readEmailLink(trx, 'confirm', token);
    if (!change) throw linkInvalid();
    const { id, userId, email, formerEmail } = change;
    await assertFree(trx, email, userId);
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ email })
      .where('id', '=', userId)
      .where('email', '=', formerEmail)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw linkInvalid();
    await trx
      .updateTable('emailChanges')
      .set({
        ...{ hash: hashOf(undo), confirmedAt: sql<string>`now()` },
        endsAt: sql<string>`now() + make_interval(days => ${UNDO_DAYS})`,
      })
      .where('id', '=', id)
      .execute();
    await recordByLink(trx, {
      ...{ user: { id: userId, email }, procedure: 'auth.confirmEmail' },
      ...{ before: { email: formerEmail }, after: { email } },
    });
    // A link that is on its way to the former address is good for nothing any more.
    await trx.deleteFrom('passwordResets').where('userId', '=', userId).execute();
    await mail.queueMail(trx, {
      ...{ to: formerEmail, subject: 'The address of your Nephos account was changed' },
      lines: [`Your account has the address ${email} now. If that was you, there is nothing to do.`],
      action: { label: 'Undo the change', url: linkTo(settings, UNDO_PATH, undo) },
      after: [
        `If it wasn't you, undo it within ${UNDO_DAYS} days: this address gets the account back, and everybody is logged out.`,
      ],
    });
    return { email };
  });
}

/**
 * Gives the account its former address back, whatever came after, and ends all sessions, tokens and second factors that
 * were set up since: somebody else may be in. The result is the path to set a new password. Throws 403 LINK_INVALID.
 */
export function undoEmail({ db }: Pick<Parts, 'db'>, token: string): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await lockAccounts(trx);
    const change = await readEmailLink(trx, 'undo', token);
    if (!change) throw linkInvalid();
    const { id, userId, email, formerEmail, createdAt } = change;
    await trx.updateTable('users').set({ email: formerEmail }).where('id', '=', userId).execute();
    await trx.deleteFrom('emailChanges').where('userId', '=', userId).where('id', '>=', id).execute();
    await trx.deleteFrom('passwordResets').where('userId', '=', userId).execute();
    await dropFactorsSince(trx, userId, createdAt);
    await dropIdentitiesSince(trx, userId, createdAt);
    await endAccess(trx, userId);
    await recordByLink(trx, {
      ...{ user: { id: userId, email: formerEmail }, procedure: 'auth.undoEmail' },
      ...{ before: { email }, after: { email: formerEmail } },
    });
    return makeResetLink(trx, userId, RESET_HOURS);
  });
}

/** Forgets changes that nobody has confirmed, or can undo any more. */
export async function sweepEmailChanges(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('emailChanges').where(sql<boolean>`not ${isOpen}`).execute();
}
