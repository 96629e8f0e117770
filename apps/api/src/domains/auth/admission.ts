import type { Welcome } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden, type Refusal } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { keepInvitation, readOpenInvitation } from '../workspaces/invitation-links.ts';
import type { AuthParts } from './auth.ts';
import { readInvitation, takeInvitation } from './invitations.ts';

export const SIGNUPS_CLOSED = 'Sign-ups are closed on this server.';
export const INVITE_ONLY = 'This server is invite-only. Ask an admin for an invitation.';
export const INVITATION_INVALID = 'This invitation is no longer valid. Ask an admin for a new one.';

/** By what somebody asks for an account. */
export interface Admission {
  settings: Pick<Settings, 'signups' | 'billing'>;
  /** The token of an invitation's link, to the installation or to a workspace; '' without one. */
  invite: string;
}

/** Whether there is an account at all: the first may be made by anyone. */
export async function hasAccounts(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Lets somebody make an account that is not the first, in a transaction that holds `lockAccounts`; the result is the
 * invitation that this uses up. One to a workspace is kept for them, and used up when they join. Throws 403 SIGNUPS_CLOSED, INVITATION_INVALID, INVITATION_EMAIL.
 */
export async function admit(
  trx: Kysely<Database>,
  { settings: { signups }, invite }: Admission,
  email: string,
): Promise<string | undefined> {
  if (signups === 'closed') throw forbidden('SIGNUPS_CLOSED', SIGNUPS_CLOSED);
  const taken = invite === '' ? undefined : await takeInvitation(trx, { invite, email });
  const isIn = taken !== undefined || (invite !== '' && (await keepInvitation(trx, { invite, email })));
  if (!isIn && signups === 'invite') throw await refusalOf(trx, invite);
  return taken;
}

/** The open invitation of a link, whatever to. */
async function findInvitation(
  db: Kysely<Database>,
  token: string,
): Promise<{ email: string | null } | undefined> {
  return (await readInvitation(db, token)) ?? (await readOpenInvitation(db, token));
}

async function refusalOf(trx: Kysely<Database>, invite: string): Promise<Refusal> {
  if (invite === '') return forbidden('SIGNUPS_CLOSED', INVITE_ONLY);
  if (!(await findInvitation(trx, invite))) return forbidden('INVITATION_INVALID', INVITATION_INVALID);
  return forbidden('INVITATION_EMAIL', 'This invitation is for a different email address.');
}

/** Who may make an account, and what it begins with. */
export async function welcomeOf(
  { db }: { db: Kysely<Database> },
  { signups, billing }: Pick<Settings, 'signups' | 'billing'>,
): Promise<Pick<Welcome, 'signups' | 'invitations' | 'billing'>> {
  return {
    signups: signups === 'open' || !(await hasAccounts(db)),
    invitations: signups !== 'closed',
    billing,
  };
}

/** What the login page offers to somebody without an account. */
export interface Offer {
  signup: boolean;
  /** Whether an invitation would help where there is none. */
  invitations: boolean;
  /** The token of a link that can be used; '' without one. */
  invite: string;
  /** The address that the invitation is for; '' for any. */
  email: string;
}

export async function offerTo(
  { db, settings }: Pick<AuthParts, 'db' | 'settings'>,
  invite: string,
): Promise<Offer> {
  const { signups: signup, invitations } = await welcomeOf({ db }, settings);
  const invitation = invite === '' || !invitations ? undefined : await findInvitation(db, invite);
  if (invitation) return { signup: true, invitations, invite, email: invitation.email ?? '' };
  return { signup, invitations, invite: '', email: '' };
}
