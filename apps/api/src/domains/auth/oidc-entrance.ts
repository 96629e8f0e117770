import { Email, Profile, type User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden } from '../../core/errors.ts';
import { leaveAlone } from '../workspaces/membership.ts';
import { assertEnabled, createAccount, lockAccounts } from './accounts.ts';
import type { Admission } from './admission.ts';
import type { AuthParts } from './auth.ts';
import { beginSession } from './begin-session.ts';
import { endAccess } from './end-access.ts';
import type { Entry } from './entrance.ts';
import { hasSecondFactor } from './factors/factors.ts';
import { providersOf } from './identities.ts';
import type { OidcIdentity } from './oidc.ts';
import { keepPending, type PendingIdentity } from './pending-identities.ts';
import type { SessionClient } from './sessions.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

function usersWithAll(trx: Kysely<Database>) {
  return trx.selectFrom('users').select(USER_COLUMNS).select(trialActive).select('users.disabledAt');
}

/** The user whom a query finds, unless they are kept out. Throws 403 ACCOUNT_DISABLED. */
function enabled<T extends { disabledAt: string | null }>(found: T | undefined) {
  if (!found) return undefined;
  const { disabledAt, ...user } = found;
  assertEnabled({ disabledAt });
  return user;
}

/** Held as at a log-in by password: that somebody is kept out from now on does not miss the session that begins. */
async function userOfIdentity(
  trx: Kysely<Database>,
  { issuer, subject }: OidcIdentity,
): Promise<User | undefined> {
  const found = await usersWithAll(trx)
    .innerJoin('identities', 'identities.userId', 'users.id')
    .where('identities.issuer', '=', issuer)
    .where('identities.subject', '=', subject)
    .forShare('users')
    .executeTakeFirst();
  return enabled(found);
}

/**
 * Whether an account can let its person in without this provider: then that is asked for once, since whoever signed up
 * with the address may not have owned it, and not every provider is to be believed about everybody.
 */
async function hasOwnMeans(
  trx: Kysely<Database>,
  settings: AuthParts['settings'],
  userId: string,
): Promise<boolean> {
  const { passwordHash } = await trx
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (passwordHash !== null || (await hasSecondFactor(trx, userId))) return true;
  return (await providersOf(trx, settings, userId)).length > 0;
}

/** Makes an account that nothing else opens safe to hand over: whoever is in it is locked out with all whom they let in. */
async function takeOver(trx: Kysely<Database>, userId: string): Promise<void> {
  for (const table of ['passwordResets', 'emailChanges', 'totpSecrets', 'recoveryCodes'] as const) {
    await trx.deleteFrom(table).where('userId', '=', userId).execute();
  }
  await endAccess(trx, userId);
  await leaveAlone(trx, userId);
}

function nameOf(part: 'firstName' | 'lastName', identity: OidcIdentity): string | null {
  return Profile.shape[part].safeParse(identity[part] ?? '').data || null;
}

interface Connected {
  user: User;
  /** Whether the account was made for it. */
  isNew: boolean;
}

async function connect(
  trx: Kysely<Database>,
  identity: OidcIdentity,
  admission: Admission & Pick<AuthParts, 'settings'>,
): Promise<Connected | PendingIdentity> {
  const email = Email.safeParse(identity.email).data;
  if (!email) {
    throw forbidden(
      'EMAIL_NOT_VERIFIED',
      'Your email address is not verified with this provider. Verify it there, or log in another way.',
    );
  }
  const account = {
    email,
    passwordHash: null,
    firstName: nameOf('firstName', identity),
    lastName: nameOf('lastName', identity),
  };
  const former = enabled(await usersWithAll(trx).where('email', '=', email).forUpdate().executeTakeFirst());
  if (former && (await hasOwnMeans(trx, admission.settings, former.id))) {
    return keepPending(trx, { userId: former.id, identity: { ...identity, email } });
  }
  if (former) await takeOver(trx, former.id);
  const user = former ?? (await createAccount(trx, account, admission));
  const { issuer, subject, groups = [] } = identity;
  await trx
    .insertInto('identities')
    .values({ issuer, subject, userId: user.id, email, groups: [...groups] })
    .execute();
  return { user, isNew: !former };
}

/**
 * Begins a session for whoever the provider says this is: in the account connected with the identity, else in a new one.
 * Where another account has its verified email address, that has to let them in first. `invite` is the token of an
 * invitation's link, or ''. Throws 403 EMAIL_NOT_VERIFIED, ACCOUNT_DISABLED, and as `createAccount` does.
 */
export function enterByIdentity(
  deps: AuthParts,
  { identity, invite }: { identity: OidcIdentity; invite: string },
  client: SessionClient,
): Promise<Entry | PendingIdentity> {
  const { db, settings } = deps;
  return db.transaction().execute(async (trx) => {
    let user = await userOfIdentity(trx, identity);
    let isNew = false;
    if (!user) {
      await lockAccounts(trx);
      user = await userOfIdentity(trx, identity);
      if (!user) {
        const connected = await connect(trx, identity, { settings, invite });
        if ('token' in connected) return connected;
        ({ user, isNew } = connected);
      }
    }
    return beginSession(trx, deps, { user, client, isNew });
  });
}
