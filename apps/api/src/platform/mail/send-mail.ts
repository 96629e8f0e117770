import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../core/settings.ts';
import type { SecretsBox } from '../secrets-box.ts';
import { type MailContent, renderMail } from './message.ts';
import { type Delivery, deliver } from './smtp.ts';

export interface SendParts {
  settings: Pick<Settings, 'mail' | 'publicUrl'>;
  log: Logger;
  db: Kysely<Database>;
  secrets: SecretsBox;
  /** Seconds between two tries. */
  pauses: readonly number[];
  /** Has a mail tried again in `after` seconds, once the transaction is committed. */
  tryLater(trx: Kysely<Database>, id: string, after: number): Promise<void>;
}

/** A job may come a little before its time, as the process's clock sees it. */
const SLACK = sql.raw("interval '1 second'");

/** Tries a mail, if it is its time. It ends when a server takes it or refuses it for good, or after a day. */
export async function sendMail(parts: SendParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, settings, secrets } = parts;
  const mail = await db
    .selectFrom('mails')
    .select(['recipient', 'content', 'tries', 'problem', 'createdAt'])
    .select(sql<boolean>`send_until < now()`.as('isLate'))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('nextTry', '<=', sql<string>`now() + ${SLACK}`)
    .executeTakeFirst();
  if (!mail?.content) return;
  if (mail.isLate) return end(parts, id, 'failed', mail.problem || 'It could not be sent in time.');
  if (!settings.mail) return end(parts, id, 'failed', 'Mail was turned off before it was sent.');
  // Sealed by `storeMail`, of this form.
  const content = JSON.parse(secrets.open(mail.content, `mails.content|${id}`)) as MailContent;
  const message = renderMail(content, settings.publicUrl.origin);
  const letter = { ...message, id, to: mail.recipient, createdAt: mail.createdAt };
  await record(parts, { id, tries: mail.tries + 1 }, await deliver(settings.mail, letter, signal));
}

async function record(
  parts: SendParts,
  { id, tries }: { id: string; tries: number },
  delivery: Delivery,
): Promise<void> {
  if (delivery.state === 'sent') return end(parts, id, 'sent', '');
  parts.log.warn({ mail: id, tries, problem: delivery.problem }, 'a mail was not taken');
  const pause = parts.pauses[tries - 1];
  if (delivery.state === 'refused' || pause === undefined) return end(parts, id, 'failed', delivery.problem);
  await parts.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('mails')
      .set({
        ...{ tries, problem: delivery.problem, triedAt: sql<string>`now()` },
        nextTry: sql<string>`now() + make_interval(secs => ${pause})`,
      })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await parts.tryLater(trx, id, pause);
  });
}

/** What it said is gone with that: the links in it are secrets. */
async function end({ db }: SendParts, id: string, state: 'sent' | 'failed', problem: string): Promise<void> {
  await db
    .updateTable('mails')
    .set(({ eb }) => ({
      ...{ state, problem, content: null, triedAt: sql<string>`now()` },
      tries: eb('tries', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}
