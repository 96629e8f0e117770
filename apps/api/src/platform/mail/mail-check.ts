import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { type EngineCheck, type Finding, healthy, off, unhealthy } from '../engine-check.ts';

interface CheckParts {
  db: Kysely<Database>;
  settings: Pick<Settings, 'mail'>;
}

/** Whether mail is sent, as the last one has shown. */
export function mailCheck({ db, settings }: CheckParts): EngineCheck {
  return {
    id: 'mail',
    name: 'Mail',
    running: settings.mail?.smtpUrl.host ?? 'Off',
    settings: ['SMTP_URL', 'MAIL_FROM'],
    look: async () => (settings.mail ? judge(db, settings.mail) : off('Links are shown for you to hand on.')),
  };
}

async function judge(db: Kysely<Database>, { from }: NonNullable<Settings['mail']>): Promise<Finding> {
  const last = await db
    .selectFrom('mails')
    .select(['state', 'problem'])
    .where('triedAt', 'is not', null)
    .orderBy('triedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const sender = `Mail is from ${from.address}.`;
  if (!last) return healthy(`${sender} None was sent in the last 30 days.`);
  if (last.problem === '') return healthy(`${sender} The last one was sent.`);
  if (last.state === 'waiting')
    return unhealthy(`The last mail was not taken and is tried again. ${last.problem}`);
  return unhealthy(`The last mail could not be sent. ${last.problem}`);
}
