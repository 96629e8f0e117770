import { Email } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { record } from '../../platform/audit.ts';
import type { Platform } from '../../platform/platform.ts';
import { assertNotExhausted, countCall } from '../../platform/rate-limit.ts';
import { readToken, TOKEN_PREFIX, type TokenBearer } from './access-tokens.ts';
import { guessLimits } from './login-limits.ts';

/** What a client that knows only names and passwords sends: whose token it is, and the token. */
export interface TokenCredentials {
  /** An email address, a person's handle, or that of the workspace that the token was made in. */
  account: string;
  secret: string;
}

/** How the record of a refusal names the door. */
const REFUSED_AT = {
  'registry-login': 'auth.logInToRegistry',
  'git-login': 'auth.logInToGit',
} as const;

type TokenDoor = keyof typeof REFUSED_AT;

/** RFC 7617; undefined for any other header. */
export function readBasic(authorization: string | undefined): TokenCredentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [account = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { account, secret: rest.join(':') };
}

/** Throws 429 where too many wrong secrets were tried already; the answer counts another one. */
export async function admitGuess(
  deps: Pick<Platform, 'db' | 'settings'>,
  { door, ip, account }: { door: TokenDoor; ip: string; account: string },
): Promise<{ countWrong(): Promise<void> }> {
  // In the one spelling that `isOf` compares, so that another one begins no other count.
  const name = Email.safeParse(account).data ?? account.slice(0, 300).toLowerCase();
  const { address, here, anywhere } = guessLimits(door, ip, name);
  // Whoever has the right token gets in, however many others guess elsewhere: a token is too long to be guessed.
  for (const limit of [address, here]) await assertNotExhausted(deps, limit);
  return {
    async countWrong() {
      for (const limit of [address, here, anywhere]) await countCall(deps, limit);
      await recordRefusal(deps.db, { door, ip, name });
    },
  };
}

/**
 * With the account or workspace that was named, for a service account with its workspace, else with the installation; what
 * was typed then is not told.
 */
async function recordRefusal(
  db: Kysely<Database>,
  { door, ip, name }: { door: TokenDoor; ip: string; name: string },
): Promise<void> {
  const person = await db
    .selectFrom('users')
    .select(['id', 'service', sql<string>`case when service then handle else email end`.as('name')])
    // A service account has one membership, and no workspace of its own.
    .select(({ selectFrom }) =>
      selectFrom('workspaceMembers')
        .select('workspaceId')
        .whereRef('workspaceMembers.userId', '=', 'users.id')
        .limit(1)
        .as('memberOf'),
    )
    .where(({ or, eb }) => or([eb('email', '=', name), eb('handle', '=', name)]))
    .executeTakeFirst();
  const named =
    person ??
    (await db.selectFrom('workspaces').select(['id', 'name']).where('handle', '=', name).executeTakeFirst());
  await record(db, {
    ...{ ownerId: (person?.service ? person.memberOf : named?.id) ?? null, actor: null, via: 'none', ip },
    ...{ procedure: REFUSED_AT[door], result: 'refused' },
    subject: {
      kind: named && !person ? 'workspaces' : 'person',
      id: named?.id ?? null,
      name: named?.name ?? null,
    },
  });
}

/** Whose live access token it is, where that is the account's; null for anything else. */
export async function readBearer(
  db: Kysely<Database>,
  { account, secret }: TokenCredentials,
): Promise<TokenBearer | null> {
  const bearer = await readToken(db, secret);
  return bearer && isOf(bearer, account) ? bearer : null;
}

function isOf({ user, workspace }: TokenBearer, account: string): boolean {
  return (
    account === user.handle || account === workspace.handle || Email.safeParse(account).data === user.email
  );
}

/** Why somebody was not let in by `who`, for example `The registry`, and what to do. */
export function whyRefused(who: string, { secret }: TokenCredentials): string {
  return secret.startsWith(TOKEN_PREFIX)
    ? 'Wrong email address or access token, or the token has expired.'
    : `${who} doesn't accept passwords. Create an access token on your Account page and use it instead.`;
}
