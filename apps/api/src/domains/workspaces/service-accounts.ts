import type { CreatedAccessToken, Member, NewAccessToken, WorkspaceRole } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { createTokenOf } from '../auth/access-tokens.ts';
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

/** Makes a token of a service account. Throws 404 for a member who is a person, and as `createTokenOf`. */
export function createServiceToken(
  ctx: UserContext,
  { id: workspaceId, userId, ...token }: z.output<typeof NewAccessToken> & { id: string; userId: string },
): Promise<CreatedAccessToken> {
  return atomically(ctx.db, async (trx) => {
    await lockMembers(trx, ctx, workspaceId);
    const { service } = await findMember(trx, { workspaceId, userId });
    if (!service) throw notFound();
    return createTokenOf(trx, { userId, workspaceId }, token);
  });
}
