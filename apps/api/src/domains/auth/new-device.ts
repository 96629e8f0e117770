import type { User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { placed } from '../../platform/places.ts';
import type { AuthParts } from './auth.ts';
import { browserName } from './browser-name.ts';
import type { SessionClient } from './sessions.ts';

const NAME_MAX = 80;

/**
 * Mails whoever's account it is about a log-in from a browser that was never used for it, in the transaction of the
 * session. The first browser that is seen of an account is taken for its owner's.
 */
export async function tellNewDevice(
  trx: Kysely<Database>,
  { settings, mail, devices }: Pick<AuthParts, 'settings' | 'mail' | 'devices'>,
  user: Pick<User, 'id' | 'email'>,
  { ip, userAgent, cookies }: SessionClient,
): Promise<void> {
  if (devices.isKnown(cookies, user)) return;
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ deviceSeen: true })
    .where('id', '=', user.id)
    .where('deviceSeen', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await mail.queueMail(trx, {
    ...{ to: user.email, subject: 'New log-in to your Nephos account' },
    lines: [
      'Somebody logged in to your account from a browser that was not used for it before.',
      `${browserName(userAgent).slice(0, NAME_MAX)}, from ${await placed(ip)}, on ${momentOf(new Date())}.`,
      'If that was you, there is nothing to do.',
    ],
    action: { label: 'Look at your sessions', url: new URL('/account', settings.publicUrl).href },
    after: ["If it wasn't you, log that session out and change your password."],
  });
}

/** For example `23 November 2026, 18:05 UTC`. */
function momentOf(instant: Date): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-GB', options).format(instant).replace(' at ', ', ')} UTC`;
}
