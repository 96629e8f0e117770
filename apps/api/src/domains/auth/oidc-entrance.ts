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
import type { OidcIdentity } from './oidc.ts';
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
 * The account with this address, made safe to hand over: only the provider has ever verified the address, so whoever
 * may have signed up with it before, by a password and without owning it, is locked out with all whom they let in. One
 * with a second factor is entered by that alone. Throws 403.
 */
async function takeOver(trx: Kysely<Database>, email: string): Promise<User | undefined> {
  const user = enabled(await usersWithAll(trx).where('email', '=', email).forUpdate().executeTakeFirst());
  if (!user) return undefined;
  if (await hasSecondFactor(trx, user.id)) {
    throw forbidden('SECOND_FACTOR', 'Log in with your password and code.');
  }
  await trx.updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute();
  for (const table of ['passwordResets', 'emailChanges', 'totpSecrets', 'recoveryCodes'] as const) {
    await trx.deleteFrom(table).where('userId', '=', user.id).execute();
  }
  await endAccess(trx, user.id);
  await leaveAlone(trx, user.id);
  return user;
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
  admission: Admission,
): Promise<Connected> {
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
  const former = await takeOver(trx, email);
  const user = former ?? (await createAccount(trx, account, admission));
  const { issuer, subject } = identity;
  await trx.insertInto('identities').values({ issuer, subject, userId: user.id }).execute();
  return { user, isNew: !former };
}

/**
 * Begins a session for whoever the provider says this is: the account connected with the identity, else the one with
 * its verified email address, else a new one. `invite` is the token of an invitation's link, or ''. Throws 403
 * EMAIL_NOT_VERIFIED, ACCOUNT_DISABLED, SECOND_FACTOR, and as `createAccount` does.
 */
export function enterByIdentity(
  deps: AuthParts,
  { identity, invite }: { identity: OidcIdentity; invite: string },
  client: SessionClient,
): Promise<Entry> {
  const { db, settings } = deps;
  return db.transaction().execute(async (trx) => {
    let user = await userOfIdentity(trx, identity);
    let isNew = false;
    if (!user) {
      await lockAccounts(trx);
      user = await userOfIdentity(trx, identity);
      if (!user) ({ user, isNew } = await connect(trx, identity, { settings, invite }));
    }
    return beginSession(trx, deps, { user, client, isNew });
  });
}
