import { randomUUID } from 'node:crypto';
import type { PasswordReset } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { forbidden, type Refusal, unavailable } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { leaveAlone } from '../workspaces/membership.ts';
import { changedPasswordMail } from './changed-password-mail.ts';
import { dropPending } from './email-change-links.ts';
import { endAccess } from './end-access.ts';
import { dropForeignIdentities, providersOf } from './identities.ts';
import { hashPassword } from './passwords.ts';
import { recordByLink } from './record-entrance.ts';
import { makeResetLink, readResetLink, takeResetLink } from './reset-links.ts';
import { ALONE } from './reset-page.ts';

/** New passwords for who has forgotten theirs. */
export interface Resets {
  /**
   * Has a link sent to the account of this address, if there is one. Whether there is, is looked up later, so that
   * neither the answer nor its time tells. `stopped` is the account that a log-in by a provider was stopped before in the
   * browser that asks. Throws 503 where mail is off.
   */
  request(email: string, stopped: string | undefined): Promise<void>;
  /**
   * Sets the password, ends all sessions and access tokens, a change of the address that waits for its click, and logins at
   * providers that have another address. Where a log-in by a provider was stopped before the account, in the browser that
   * asked for the link or in this one (`stopped`), its personal workspace is left to its person alone. Throws 403
   * LINK_INVALID.
   */
  reset(
    input: z.output<typeof PasswordReset>,
    stopped: string | undefined,
  ): Promise<{ id: string; email: string }>;
}

type Parts = Pick<Platform, 'settings' | 'db' | 'mail'>;

interface Request {
  /** Tells one request from another, so that one that is answered again sends no second mail. */
  request: string;
  email: string;
  /** The account that a log-in by a provider was stopped before in the browser that asks. */
  stopped?: string;
}

const HOURS = 1;
/** Requests that are answered at once. */
const AT_ONCE = 2;
const EXPIRES = 60;
const RETRIES = 10;
const LONGEST_PAUSE = 60;

export function linkInvalid(): Refusal {
  return forbidden(
    'LINK_INVALID',
    'This link is no longer valid. It may have been used already, or be too old.',
  );
}

export function createResets(parts: Parts & Pick<Platform, 'jobs'>): Resets {
  const { db, jobs, mail } = parts;
  const queue = jobs.queue<Request>(
    'password-resets',
    { concurrency: AT_ONCE, expireInSeconds: EXPIRES, retryLimit: RETRIES, longestPause: LONGEST_PAUSE },
    (asked) => db.transaction().execute((trx) => answer(trx, parts, asked)),
  );
  return {
    async request(email, stopped) {
      if (!mail.isOn) throw unavailable('This server sends no mail. Ask an administrator for a link.');
      await queue.enqueue(db, { request: randomUUID(), email, ...(stopped !== undefined && { stopped }) });
    },
    reset: (input, stopped) => reset(parts, input, stopped),
  };
}

async function answer(
  trx: Kysely<Database>,
  { settings: { publicUrl, oidc }, mail }: Parts,
  { request, email, stopped }: Request,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'passwordHash'])
    .where('users.email', '=', email)
    .where('users.disabledAt', 'is', null)
    .executeTakeFirst();
  if (!user) return;
  const once = `password-reset|${request}`;
  const asked = `Somebody, probably you, asked for a new password for the Nephos account ${email}.`;
  const providers = user.passwordHash === null ? await providersOf(trx, { oidc }, user.id) : [];
  if (providers.length > 0) {
    const names = providers.map(({ name }) => name).join(' or ');
    return mail.queueMail(trx, {
      ...{ to: email, once, subject: 'How you log in to Nephos' },
      lines: [asked, `This account has no password: you log in to it with ${names}.`],
      action: { label: 'Log in', url: new URL('/api/login', publicUrl).href },
    });
  }
  const takesOver = stopped === user.id;
  const path = await makeResetLink(trx, user.id, HOURS, takesOver);
  await mail.queueMail(trx, {
    ...{ to: email, once, subject: 'Set a new password for Nephos', usefulFor: HOURS * 60 * 60 },
    lines: [asked],
    action: { label: 'Set a new password', url: new URL(path, publicUrl).href },
    after: [
      'The link works once, within one hour. It logs out all sessions and revokes all access tokens of the account.',
      ...(takesOver ? [ALONE] : []),
      "If it wasn't you, ignore this mail: your password stays as it is.",
    ],
  });
}

async function reset(
  { db, mail, settings }: Parts,
  { token, password }: z.output<typeof PasswordReset>,
  stopped: string | undefined,
): Promise<{ id: string; email: string }> {
  // Before the work that a hash is, which nobody without a link can have us do.
  if (!(await readResetLink(db, token))) throw linkInvalid();
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    const link = await takeResetLink(trx, token);
    if (!link) throw linkInvalid();
    const { userId } = link;
    const takesOver = link.takesOver || stopped === userId;
    // Before the person is held, as whoever joins a workspace does.
    if (takesOver) await leaveAlone(trx, userId);
    const user = await trx
      .updateTable('users')
      .set({ passwordHash })
      .where('id', '=', userId)
      .returning('email')
      .executeTakeFirstOrThrow();
    await endAccess(trx, userId);
    await dropForeignIdentities(trx, { id: userId, ...user });
    await dropPending(trx, userId);
    await recordByLink(trx, { user: { id: userId, ...user }, procedure: 'auth.resetPassword' });
    await mail.queueMail(
      trx,
      changedPasswordMail(user.email, settings, [
        'A new password was set by a link. All sessions were logged out and all access tokens revoked.',
        'Connected accounts with another email address were disconnected.',
        ...(takesOver ? ['Everybody else was removed from your personal workspace.'] : []),
      ]),
    );
    return { id: userId, ...user };
  });
}
