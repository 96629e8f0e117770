import { TRIAL_DAYS, type User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { conflict, forbidden } from '../../core/errors.ts';
import { MIRROR_HANDLE } from '../containers/mirror/mirrored-name.ts';
import { type Admission, admit, hasAccounts } from './admission.ts';
import { handleFrom, stemOf } from './handle.ts';
import { noteAccount } from './invitations.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

export interface NewAccount {
  /** Valid and in lower case. */
  email: string;
  /** Null for an account that only signs in through an identity provider. */
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
}

/** Until the transaction ends, no other account is made: who is first and which names are free then stays true. */
export async function lockAccounts(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('accounts', 0))`.execute(trx);
}

/**
 * A handle, or the first free one with a number, in a transaction that holds `lockAccounts`; among n taken numbers and
 * one more, one is free. People's are those of their own workspaces.
 */
export async function freeHandle(trx: Kysely<Database>, handle: string): Promise<string> {
  const stem = `${stemOf(handle)}-`;
  const { rows } = await sql<{ handle: string }>`
    with taken as (
      select handle from workspaces union all select handle from users where service
      union all select ${MIRROR_HANDLE}
    )
    select ${handle} as handle where not exists (select from taken where handle = ${handle})
    union all (
      select ${stem} || n as handle
      from generate_series(2, 2 + (select count(*) from taken where starts_with(handle, ${stem}))) n
      where not exists (select from taken where handle = ${stem} || n)
      order by n limit 1
    )`.execute(trx);
  if (!rows[0]) throw new Error('No handle is free.');
  return rows[0].handle;
}

/** Throws 403 ACCOUNT_DISABLED for somebody whom an administrator keeps out. */
export function assertEnabled({ disabledAt }: { disabledAt: string | null }): void {
  if (disabledAt !== null) {
    throw forbidden('ACCOUNT_DISABLED', 'This account is disabled. Ask an administrator.');
  }
}

/**
 * Throws 409 EMAIL_TAKEN where an account has the address, or can have it back since its change can still be undone;
 * `except` is the account that asks.
 */
export async function assertFree(
  trx: Kysely<Database>,
  email: string,
  except: string | null = null,
): Promise<void> {
  const taken = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  const kept = await trx
    .selectFrom('emailChanges')
    .select('id')
    .where('formerEmail', '=', email)
    .where('confirmedAt', 'is not', null)
    .where('endsAt', '>', sql<string>`now()`)
    .where('userId', 'is distinct from', except)
    .executeTakeFirst();
  if (taken || kept) {
    throw conflict('EMAIL_TAKEN', 'An account with this email already exists. Log in instead.');
  }
}

/**
 * Makes an account in a transaction that holds `lockAccounts`: the installation's first is its admin, and the trial
 * begins now by the database's clock; without billing there is none. Whoever is not let in does not learn who has an
 * account. Throws as `admit`, and 409 EMAIL_TAKEN.
 */
export async function createAccount(
  trx: Kysely<Database>,
  account: NewAccount,
  admission: Admission,
): Promise<User> {
  const isFirst = !(await hasAccounts(trx));
  const invitation = isFirst ? undefined : await admit(trx, admission, account.email);
  await assertFree(trx, account.email);
  const user = await trx
    .insertInto('users')
    .values({
      ...account,
      handle: await freeHandle(trx, handleFrom(account.email)),
      role: isFirst ? 'admin' : 'member',
      trialEndDate: admission.settings.billing
        ? sql<string>`now() + make_interval(days => ${TRIAL_DAYS})`
        : null,
    })
    .returning(USER_COLUMNS)
    .returning(trialActive)
    .executeTakeFirstOrThrow();
  if (invitation) await noteAccount(trx, invitation, user.id);
  return user;
}
