import type { Once } from '@nephos/contracts/implement';
import type { UserContext } from '../../core/context.ts';
import { unavailable, unprocessable } from '../../core/errors.ts';
import type { Mail } from '../../platform/mail/mail.ts';

/** Sends before there is a transaction, which would wait for the mail server. Throws 503 where mail is off, and 422 MAIL_NOT_SENT with what the server says against it. */
export async function sendTestMail(
  { user: { email } }: UserContext,
  mail: Pick<Mail, 'sendAtOnce'>,
  once: Once<UserContext>,
) {
  const delivery = await mail.sendAtOnce({
    ...{ to: email, subject: 'Nephos can send mail' },
    lines: ['You asked for this mail on the admin page. That it has arrived shows that mail is set up.'],
  });
  if (!delivery) throw unavailable('This server sends no mail. Set SMTP_URL.');
  if (delivery.state !== 'sent') throw unprocessable('MAIL_NOT_SENT', delivery.problem);
  return once(async () => ({ success: true as const }));
}
