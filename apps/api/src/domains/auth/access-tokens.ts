import type { AccessToken, CreatedAccessToken, NewAccessToken, TokenScope, User } from '@nephos/contracts';
import { MAX_PAGE } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { recordPassage } from './record-entrance.ts';
import { hashOf, RANDOM_TOKEN, randomToken } from './secret-token.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

/** Lets people and scanners of repositories recognise a token that leaked. */
export const TOKEN_PREFIX = 'nph_';

const TOKEN = new RegExp(`^${TOKEN_PREFIX}${RANDOM_TOKEN}$`);
const MAX_TOKENS = 100;

const COLUMNS = ['id', 'name', 'scope', 'createdAt', 'expiresAt', 'lastUsedAt'] as const;

const isLive = sql<boolean>`(access_tokens.expires_at is null or access_tokens.expires_at > now())`;
const isUseNoted = sql<boolean>`coalesce(access_tokens.last_used_at > now() - interval '1 minute', false)`;

/** What a live access token stands for. */
export interface TokenBearer {
  user: User;
  token: { id: string; name: string; scope: TokenScope };
}

/** The caller's tokens, newest first, those that have ended included. */
export function listTokens({ db, user }: UserContext): Promise<AccessToken[]> {
  return db
    .selectFrom('accessTokens')
    .select(COLUMNS)
    .where('userId', '=', user.id)
    .orderBy('id', 'desc')
    .limit(MAX_PAGE)
    .execute();
}

/** Makes a token of 256 random bits. Throws 400 for an end that has passed, 409 where there are too many. */
export async function createToken(
  { db, user }: UserContext,
  { name, scope, expiresAt = null }: z.output<typeof NewAccessToken>,
): Promise<CreatedAccessToken> {
  const token = TOKEN_PREFIX + randomToken();
  const created = await atomically(db, async (trx) => {
    await assertRoom(trx, user.id, expiresAt);
    return trx
      .insertInto('accessTokens')
      .values({ userId: user.id, name, scope, hash: hashOf(token), expiresAt })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
  return { ...created, token };
}

/** Under the account's lock, so that calls at the same time are counted one after the other. */
async function assertRoom(trx: Kysely<Database>, userId: string, expiresAt: string | null): Promise<void> {
  await lockAccount(trx, userId);
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
export async function revokeToken({ db, user }: UserContext, id: string): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('accessTokens')
    .where('userId', '=', user.id)
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
    .select(USER_COLUMNS)
    .select(trialActive)
    .select([
      'accessTokens.id as tokenId',
      'accessTokens.name as tokenName',
      'accessTokens.scope',
      isUseNoted.as('isUseNoted'),
    ])
    .where('users.disabledAt', 'is', null)
    .where(isLive);
}

/** Notes a token's use, and records the first. */
async function noteUse(
  db: Kysely<Database>,
  { user, tokenId, tokenName }: { user: User; tokenId: string; tokenName: string },
): Promise<void> {
  await atomically(db, async (trx) => {
    const use = trx.updateTable('accessTokens').set({ lastUsedAt: sql`now()` }).where('id', '=', tokenId);
    const first = await use.where('lastUsedAt', 'is', null).executeTakeFirst();
    if (first.numUpdatedRows === 0n) await use.execute();
    else await recordPassage(trx, { user, procedure: 'auth.useToken', tokenName });
  });
}

/** Whose live token this is, as the database has them now; notes its use, at most once a minute. */
export async function readToken(db: Kysely<Database>, token: string): Promise<TokenBearer | null> {
  if (!TOKEN.test(token)) return null;
  const row = await liveTokens(db).where('accessTokens.hash', '=', hashOf(token)).executeTakeFirst();
  if (!row) return null;
  const { tokenId, tokenName: name, scope, isUseNoted: noted, ...user } = row;
  if (!noted) {
    await noteUse(db, { user, tokenId, tokenName: name });
  }
  return { user, token: { id: tokenId, name, scope } };
}

/** The same by the token's id, for what was granted in its name before: null once it has ended. */
export async function readTokenById(db: Kysely<Database>, id: string): Promise<TokenBearer | null> {
  const row = await liveTokens(db).where('accessTokens.id', '=', id).executeTakeFirst();
  if (!row) return null;
  const { tokenId, tokenName: name, scope, isUseNoted: _, ...user } = row;
  return { user, token: { id: tokenId, name, scope } };
}
