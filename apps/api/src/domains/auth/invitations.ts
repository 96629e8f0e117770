import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { hashOf } from './secret-token.ts';

/** Whether an account can be made with an invitation's row, by the database's clock. */
export const IS_OPEN = sql<boolean>`(
  invitations.used_at is null and invitations.revoked_at is null and invitations.expires_at > now())`;

/** The open invitation of a link's token; undefined where it is used, revoked, over or none. */
export function readInvitation(
  db: Kysely<Database>,
  token: string,
): Promise<{ email: string | null } | undefined> {
  return db
    .selectFrom('invitations')
    .select('email')
    .where('hash', '=', hashOf(token))
    .where(IS_OPEN)
    .executeTakeFirst();
}

/** Uses up the open invitation of a token, where it is for this address; the result is its id. */
export async function takeInvitation(
  trx: Kysely<Database>,
  { invite, email }: { invite: string; email: string },
): Promise<string | undefined> {
  const taken = await trx
    .updateTable('invitations')
    .set({ usedAt: sql<string>`now()` })
    .where('hash', '=', hashOf(invite))
    .where(IS_OPEN)
    .where(({ eb, or }) => or([eb('email', 'is', null), eb('email', '=', email)]))
    .returning('id')
    .executeTakeFirst();
  return taken?.id;
}

/** Writes down whose account a used invitation has made. */
export async function noteAccount(trx: Kysely<Database>, id: string, userId: string): Promise<void> {
  await trx.updateTable('invitations').set({ usedBy: userId }).where('id', '=', id).execute();
}
