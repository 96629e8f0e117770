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

/** Ends all of somebody's sessions and access tokens, and what is open by them once the transaction commits. */
export async function endAccess(trx: Kysely<Database>, userId: string): Promise<EndedAccess> {
  const sessions = await trx.deleteFrom('sessions').where('userId', '=', userId).executeTakeFirst();
  const tokens = await trx.deleteFrom('accessTokens').where('userId', '=', userId).executeTakeFirst();
  await hangUp(trx, userId);
  return { sessions: Number(sessions.numDeletedRows), tokens: Number(tokens.numDeletedRows) };
}
