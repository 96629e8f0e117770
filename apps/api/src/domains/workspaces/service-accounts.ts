import type {
  AccessToken,
  CreatedAccessToken,
  Member,
  NewAccessToken,
  WorkspaceRole,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { createTokenOf, listTokensOf, revokeTokenOf } from '../auth/access-tokens.ts';
import { freeHandle, lockAccounts } from '../auth/accounts.ts';
import { handleFrom } from '../auth/handle.ts';
import { randomToken } from '../auth/secret-token.ts';
import { join } from './invitations.ts';
import { lockMembers } from './membership.ts';
import { findMember } from './read.ts';

/** Makes a member that cannot log in: it has neither a password nor an address that mail reaches (RFC 6761 §6.4). */
export function createServiceAccount(
  ctx: UserContext,
  { id: workspaceId, name, role }: { id: string; name: string; role: Exclude<WorkspaceRole, 'owner'> },
): Promise<Member> {
  return atomically(ctx.db, async (trx) => {
    await lockAccounts(trx);
    await lockMembers(trx, ctx, workspaceId);
    const { id: userId } = await trx
      .insertInto('users')
      .values({
        ...{ service: true, role: 'member', passwordHash: null, firstName: name },
        email: `${randomToken().toLowerCase()}@service.invalid`,
        handle: await freeHandle(trx, handleFrom(`${name}@`)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await join(trx, { workspaceId, userId, role });
    return findMember(trx, { workspaceId, userId });
  });
}

interface Account {
  /** The workspace's. */
  id: string;
  userId: string;
}

/** Throws 404 for a member who is a person: their tokens are theirs alone. */
async function assertService(db: Kysely<Database>, { id: workspaceId, userId }: Account): Promise<void> {
  const { service } = await findMember(db, { workspaceId, userId });
  if (!service) throw notFound();
}

/** Makes a token of a service account. Throws 404 for a person, and as `createTokenOf`. */
export function createServiceToken(
  ctx: UserContext,
  { id, userId, ...token }: z.output<typeof NewAccessToken> & Account,
): Promise<CreatedAccessToken> {
  return atomically(ctx.db, async (trx) => {
    await lockMembers(trx, ctx, id);
    await assertService(trx, { id, userId });
    return createTokenOf(trx, { userId, workspaceId: id }, token);
  });
}

/** A service account's tokens, newest first, those that have ended included. Throws 404 for a person. */
export async function listServiceTokens({ db }: UserContext, account: Account): Promise<AccessToken[]> {
  await assertService(db, account);
  return listTokensOf(db, account.userId);
}

/** Ends one of a service account's tokens. Throws 404, also for a person's. */
export function revokeServiceToken(
  ctx: UserContext,
  { tokenId, ...account }: Account & { tokenId: string },
): Promise<{ success: true }> {
  return atomically(ctx.db, async (trx) => {
    await lockMembers(trx, ctx, account.id);
    await assertService(trx, account);
    return revokeTokenOf(trx, account.userId, tokenId);
  });
}
