import type { EndedAccess } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { notify } from '../../platform/notifications.ts';

/** On which each replica hears whose connections to hang up: the payload is the person's id. */
export const ACCESS_ENDED = 'access_ended';

/** Hangs up what somebody has open, once the transaction commits: who still may opens it again. */
export function hangUp(trx: Kysely<Database>, userId: string): Promise<void> {
  return notify(trx, ACCESS_ENDED, userId);
}

/**
 * Ends somebody's sessions, those in which they are signed in as others included, and what is open by them once the
 * transaction commits. `except` is the public id of one that stays. The result is how many these were.
 */
export async function endSessions(
  trx: Kysely<Database>,
  userId: string,
  except: string | null = null,
): Promise<number> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('publicId', 'is distinct from', except)
    .returning('id')
    .execute();
  await hangUp(trx, userId);
  return ended.length + (await endSessionsAsOthers(trx, userId));
}

/** Ends what an administrator is signed in to as others, as `endSessions` does; the result is how many these were. */
export async function endSessionsAsOthers(trx: Kysely<Database>, adminId: string): Promise<number> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('impersonatorId', '=', adminId)
    .returning('userId')
    .execute();
  for (const userId of new Set(ended.map((session) => session.userId))) await hangUp(trx, userId);
  return ended.length;
}

/** Ends all of somebody's sessions and access tokens, and what is open by them once the transaction commits. */
export async function endAccess(trx: Kysely<Database>, userId: string): Promise<EndedAccess> {
  const sessions = await endSessions(trx, userId);
  const tokens = await trx.deleteFrom('accessTokens').where('userId', '=', userId).executeTakeFirst();
  return { sessions, tokens: Number(tokens.numDeletedRows) };
}
