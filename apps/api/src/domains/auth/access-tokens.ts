import type {
  AccessToken,
  CreatedAccessToken,
  NewAccessToken,
  TokenResource,
  TokenScope,
  User,
} from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { CallerWorkspace, UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { FACTOR_DEMANDED_BY, type FactorDemander } from '../../platform/factor-demands.ts';
import { WORKSPACE_COLUMNS, workspaceOf } from '../workspaces/workspace-columns.ts';
import { recordPassage } from './record-entrance.ts';
import { hashOf, RANDOM_TOKEN, randomToken } from './secret-token.ts';
import { assertResource, namedResource, tokenResource } from './token-resources.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

/** Lets people and scanners of repositories recognise a token that leaked. */
export const TOKEN_PREFIX = 'nph_';

const TOKEN = new RegExp(`^${TOKEN_PREFIX}${RANDOM_TOKEN}$`);
const MAX_TOKENS = 100;

const COLUMNS = ['id', 'name', 'scope', 'workspaceId', 'createdAt', 'expiresAt', 'lastUsedAt'] as const;

const isLive = sql<boolean>`(access_tokens.expires_at is null or access_tokens.expires_at > now())`;
/**
 * A service account is what its workspace's owners made it for: it works while one of them is not kept out. Of a row of
 * `users` and one of `workspaces`.
 */
export const IS_BACKED = sql<boolean>`(not users.service or exists (
  select from workspace_members owning join users owner on owner.id = owning.user_id
  where owning.workspace_id = workspaces.id and owning.role = 'owner' and owner.disabled_at is null))`;

const isUseNoted = sql<boolean>`coalesce(access_tokens.last_used_at > now() - interval '1 minute', false)`;

/** What a live access token stands for. */
export interface TokenBearer {
  user: User;
  /** Where it was made; it opens nothing else. */
  workspace: CallerWorkspace;
  token: { id: string; name: string; scope: TokenScope; resource: TokenResource | null };
  /** Who demands a second factor that the person lacks, so that nothing is opened; null for nobody. */
  factorDemandedBy: FactorDemander | null;
}

/** The caller's tokens in all workspaces, newest first, those that have ended included. */
export function listTokens({ db, user }: UserContext): Promise<AccessToken[]> {
  return listTokensOf(db, user.id);
}

/** The same of any member; a service account has its one workspace. */
export function listTokensOf(db: Kysely<Database>, userId: string): Promise<AccessToken[]> {
  return db
    .selectFrom('accessTokens')
    .select(COLUMNS)
    .select(namedResource)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_PAGE)
    .execute();
}

/**
 * Makes a token of 256 random bits, for the workspace that the call is made in. Throws 400 for an end that has passed
 * and for a resource that is not there, 409 where there are too many.
 */
export function createToken(
  { db, user, ownerId }: UserContext,
  input: z.output<typeof NewAccessToken>,
): Promise<CreatedAccessToken> {
  return createTokenOf(db, { userId: user.id, workspaceId: ownerId }, input);
}

/** The same for any member of a workspace. */
export async function createTokenOf(
  db: Kysely<Database>,
  bearer: { userId: string; workspaceId: string },
  { name, scope, expiresAt = null, resource: bound = null }: z.output<typeof NewAccessToken>,
): Promise<CreatedAccessToken> {
  const token = TOKEN_PREFIX + randomToken();
  const created = await atomically(db, async (trx) => {
    await assertRoom(trx, bearer.userId, expiresAt);
    if (bound) await assertResource(trx, bearer.workspaceId, bound);
    return trx
      .insertInto('accessTokens')
      .values({
        ...{ ...bearer, name, scope, hash: hashOf(token), expiresAt },
        ...{ resourceKind: bound?.kind ?? null, resourceId: bound?.id ?? null },
      })
      .returning(COLUMNS)
      .returning(namedResource)
      .executeTakeFirstOrThrow();
  });
  return { ...created, token };
}

/** Under the person's lock, so that calls at the same time are counted one after the other. */
async function assertRoom(trx: Kysely<Database>, userId: string, expiresAt: string | null): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { tokens, isPast } = await trx
    .selectFrom('accessTokens')
    .select(({ fn }) => fn.countAll<number>().as('tokens'))
    .select(sql<boolean>`coalesce(${expiresAt}::timestamptz <= now(), false)`.as('isPast'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (isPast) {
    const message = 'Expiry must be in the future.';
    throw invalid(message, [{ path: 'expiresAt', message }]);
  }
  if (tokens >= MAX_TOKENS) {
    throw conflict('LIMIT', `You can have up to ${MAX_TOKENS} access tokens. Revoke one first.`);
  }
}

/** Ends one of the caller's tokens. Throws 404. */
export function revokeToken({ db, user }: UserContext, id: string): Promise<{ success: true }> {
  return revokeTokenOf(db, user.id, id);
}

/** The same of any member. */
export async function revokeTokenOf(
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('accessTokens')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}

/** Ends all of an account's tokens: whoever may have made them is no longer trusted. */
export async function endTokens(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('accessTokens').where('userId', '=', userId).execute();
}

function liveTokens(db: Kysely<Database>) {
  return db
    .selectFrom('accessTokens')
    .innerJoin('users', 'users.id', 'accessTokens.userId')
    .innerJoin('workspaceMembers', (join) =>
      join
        .onRef('workspaceMembers.userId', '=', 'accessTokens.userId')
        .onRef('workspaceMembers.workspaceId', '=', 'accessTokens.workspaceId'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'accessTokens.workspaceId')
    .select(USER_COLUMNS)
    .select(trialActive)
    .select(WORKSPACE_COLUMNS)
    .select(['accessTokens.id as tokenId', 'accessTokens.name as tokenName', 'accessTokens.scope'])
    .select([tokenResource, isUseNoted.as('isUseNoted'), FACTOR_DEMANDED_BY.as('factorDemandedBy')])
    .where('users.disabledAt', 'is', null)
    .where(IS_BACKED)
    .where(isLive);
}

const byHash = prepare((db, parameter: Parameter<{ hash: string }>) =>
  liveTokens(db).where('accessTokens.hash', '=', parameter('hash')).compile(),
);

const byId = prepare((db, parameter: Parameter<{ id: string }>) =>
  liveTokens(db).where('accessTokens.id', '=', parameter('id')).compile(),
);

type LiveToken = Awaited<ReturnType<typeof byHash>>[number];

function bearerFrom(row: LiveToken): TokenBearer {
  const { tokenId, tokenName: name, scope, resource: bound, isUseNoted: _, factorDemandedBy, ...known } = row;
  const { workspace, ...user } = workspaceOf(known);
  // Its member is joined.
  if (!workspace) throw new Error('A token has no workspace.');
  return { user, workspace, token: { id: tokenId, name, scope, resource: bound }, factorDemandedBy };
}

/** Notes a token's use, and records the first. */
async function noteUse(db: Kysely<Database>, { user, workspace, token }: TokenBearer): Promise<void> {
  await atomically(db, async (trx) => {
    const use = trx.updateTable('accessTokens').set({ lastUsedAt: sql`now()` }).where('id', '=', token.id);
    const first = await use.where('lastUsedAt', 'is', null).executeTakeFirst();
    if (first.numUpdatedRows === 0n) await use.execute();
    else {
      await recordPassage(trx, {
        ...{ user, ownerId: workspace.id, procedure: 'auth.useToken', tokenName: token.name },
      });
    }
  });
}

/** Whose live token this is, as the database has them now; notes its use, at most once a minute. */
export async function readToken(db: Kysely<Database>, token: string): Promise<TokenBearer | null> {
  if (!TOKEN.test(token)) return null;
  const [row] = await byHash(db, { hash: hashOf(token) });
  if (!row) return null;
  const bearer = bearerFrom(row);
  if (!row.isUseNoted) await noteUse(db, bearer);
  return bearer;
}

/** The same by the token's id, for what was granted in its name before: null once it has ended. */
export async function readTokenById(db: Kysely<Database>, id: string): Promise<TokenBearer | null> {
  const [row] = await byId(db, { id });
  return row ? bearerFrom(row) : null;
}
