import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** Where the links in mails of a changed address lead. */
export const CONFIRM_PATH = '/api/login/email';
export const UNDO_PATH = '/api/login/email/undo';

/** Ends the link of a change of address that nobody has confirmed, if there is one. */
export async function dropPending(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('emailChanges').where('userId', '=', userId).where('confirmedAt', 'is', null).execute();
}
