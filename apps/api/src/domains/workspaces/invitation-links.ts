import type { WorkspaceInvitationState } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { hashOf } from '../auth/secret-token.ts';

/** What has become of a row of `workspace_invitations`, by the database's clock. */
export const STATE = sql<WorkspaceInvitationState['state']>`case
  when used_at is not null then 'used'
  when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'ended'
  else 'open' end`;

export const IS_OPEN = sql<boolean>`${STATE} = 'open'`;

const IS_OF_LIVE_WORKSPACE = sql<boolean>`exists (
  select from workspaces where workspaces.id = workspace_id and workspaces.closing_since is null)`;

/** The open invitation of a link's token; undefined where it is used, revoked, over or none. */
export function readOpenInvitation(
  db: Kysely<Database>,
  token: string,
): Promise<{ email: string | null } | undefined> {
  return db
    .selectFrom('workspaceInvitations')
    .select('email')
    .where('hash', '=', hashOf(token))
    .where(IS_OPEN)
    .where(IS_OF_LIVE_WORKSPACE)
    .executeTakeFirst();
}

/**
 * Keeps the open invitation of a token for this address, where it is not for another: it is used up by joining, so until
 * then it must let no second person make an account. Whether it is.
 */
export async function keepInvitation(
  trx: Kysely<Database>,
  { invite, email }: { invite: string; email: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('workspaceInvitations')
    .set({ email })
    .where('hash', '=', hashOf(invite))
    .where(IS_OPEN)
    .where(IS_OF_LIVE_WORKSPACE)
    .where(({ eb, or }) => or([eb('email', 'is', null), eb('email', '=', email)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
