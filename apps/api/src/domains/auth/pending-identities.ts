import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { AuthParts } from './auth.ts';
import { type Connection, connectIdentity } from './connect-identity.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';
import { hashOf, randomToken } from './secret-token.ts';
import type { SessionClient } from './sessions.ts';

const MINUTES = 10;

const isOpen = sql<boolean>`pending_identities.expires_at > now()`;

/** An account that somebody's provider speaks for, and that has its own means to let them in. */
export interface PendingIdentity {
  /** Known to the browser alone. */
  token: string;
  userId: string;
}

function cookieOf({ settings }: Pick<AuthParts, 'settings'>): { name: string; secure: boolean } {
  const secure = settings.publicUrl.protocol === 'https:';
  return { name: cookieName('connect', secure), secure };
}

/** Keeps who a provider says somebody is, for ten minutes, until the account has let them in. */
export async function keepPending(
  trx: Kysely<Database>,
  { userId, identity: { issuer, subject, email, groups = [] } }: { userId: string; identity: Connection },
): Promise<PendingIdentity> {
  const token = randomToken();
  await trx
    .insertInto('pendingIdentities')
    .values({
      ...{ hash: hashOf(token), userId, issuer, subject, email: email ?? null, groups: [...groups] },
      expiresAt: sql<string>`now() + make_interval(mins => ${MINUTES})`,
    })
    .execute();
  return { token, userId };
}

/** A `Set-Cookie` value by which the browser keeps it. It opens nothing: the account still asks for its own proof. */
export function rememberPending(
  deps: Pick<AuthParts, 'settings'>,
  { token }: Pick<PendingIdentity, 'token'>,
): string {
  return writeCookie({ ...cookieOf(deps), value: token, maxAge: MINUTES * 60 });
}

/** A `Set-Cookie` value that ends it, where a `Cookie` header has one. */
export function forgetPending(
  deps: Pick<AuthParts, 'settings'>,
  cookies: string | undefined,
): string | undefined {
  const cookie = cookieOf(deps);
  return readCookie(cookies, cookie.name) && writeCookie({ ...cookie, value: '', maxAge: 0 });
}

/** What a browser waits to connect, and with whose account; undefined where there is none, or it expired. */
export function readPending(
  deps: Pick<AuthParts, 'settings' | 'db'>,
  cookies: string | undefined,
): Promise<{ userId: string; accountEmail: string; issuer: string } | undefined> {
  return deps.db
    .selectFrom('pendingIdentities')
    .innerJoin('users', 'users.id', 'pendingIdentities.userId')
    .select(['pendingIdentities.userId', 'users.email as accountEmail', 'pendingIdentities.issuer'])
    .where('hash', '=', hashOf(readCookie(cookies, cookieOf(deps).name) ?? ''))
    .where(isOpen)
    .executeTakeFirst();
}

/**
 * Connects what the browser waits to connect with the account that its person has just proved to be theirs, in the
 * transaction of their session: once, and with no other account.
 */
export async function connectPending(
  trx: Kysely<Database>,
  deps: Pick<AuthParts, 'settings' | 'mail'>,
  { user, client }: { user: { id: string; email: string }; client: SessionClient },
): Promise<void> {
  const token = readCookie(client.cookies, cookieOf(deps).name);
  if (!token) return;
  const identity = await trx
    .deleteFrom('pendingIdentities')
    .where('hash', '=', hashOf(token))
    .where('userId', '=', user.id)
    .where(isOpen)
    .returning(['issuer', 'subject', 'email', 'groups'])
    .executeTakeFirst();
  if (identity) await connectIdentity(trx, deps, { user, identity, client });
}

/** Forgets those that nobody has connected in time. */
export async function sweepPending(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('pendingIdentities').where(sql<boolean>`not ${isOpen}`).execute();
}
