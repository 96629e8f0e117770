import { ALERT_KINDS, type AlertPreferences } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { assertOwnProject, assertQuietHours, dropWaiting } from './channels.ts';

type MailState = Pick<Mail, 'isOn'>;

/** Which alerts are mailed to the caller: of all kinds, once they turn that on. */
export async function readPreferences(
  { db, ownerId, user }: UserContext,
  { isOn: mailAvailable }: MailState,
): Promise<AlertPreferences> {
  const row = await db
    .selectFrom('alertChannels')
    .select(['enabled as mail', 'kinds', 'projectId', 'quietHours'])
    .where('ownerId', '=', ownerId)
    .where('userId', '=', user.id)
    .$castTo<Omit<AlertPreferences, 'mailAvailable'>>()
    .executeTakeFirst();
  return { mailAvailable, mail: false, kinds: [...ALERT_KINDS], projectId: null, quietHours: null, ...row };
}

/** Throws 400. */
export async function setPreferences(
  ctx: UserContext,
  mailState: MailState,
  { mail, kinds, projectId, quietHours }: Omit<AlertPreferences, 'mailAvailable'>,
): Promise<AlertPreferences> {
  assertQuietHours(quietHours);
  const { ownerId, user } = ctx;
  const columns = { enabled: mail, kinds, projectId, quietHours: JSON.stringify(quietHours) };
  const former = await readPreferences(ctx, mailState);
  await atomically(ctx.db, async (trx) => {
    if (projectId !== former.projectId) await assertOwnProject(trx, ownerId, projectId);
    const { id: channelId } = await trx
      .insertInto('alertChannels')
      .values({ ownerId, userId: user.id, type: 'mail', name: 'Mail', shownAddress: '', ...columns })
      .onConflict((existing) => existing.columns(['userId', 'ownerId']).doUpdateSet(columns))
      .returning('id')
      .executeTakeFirstOrThrow();
    if (!mail) await dropWaiting(trx, { ownerId, channelId });
  });
  return readPreferences(ctx, mailState);
}
