import type { Connections } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import type { AuthParts } from './auth.ts';
import { connectIdentity } from './connect-identity.ts';
import { readFactors } from './factors/factors.ts';
import { applyGroups } from './group-roles.ts';
import { providerNameOf, providerOf } from './identities.ts';
import { address } from './login-page.ts';
import type { OidcIdentity } from './oidc.ts';
import { oidcPath } from './oidc-paths.ts';
import type { LiveSession } from './sessions.ts';

const MAX_AGE_SECONDS = 600;
const SEAL_CONTEXT = 'oidc-connect';

/** Says that a session wants to be connected with a provider: without it, any site could send a browser there. */
const Ticket = z.object({ sessionId: z.string(), providerId: z.string(), startedAt: z.number() });

function readRows(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('identities')
    .select(['id', 'issuer', 'email', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** What the caller's account is connected with, and with what it can be. */
export async function listConnections(
  { db, user }: UserContext,
  { settings }: Pick<AuthParts, 'settings'>,
): Promise<Connections> {
  const rows = await readRows(db, user.id);
  return {
    connections: rows.map(({ id, issuer, email, createdAt }) => ({
      ...{ id, email, connectedAt: createdAt, name: providerNameOf(settings, issuer) },
      providerId: providerOf(settings, issuer)?.id ?? null,
    })),
    providers: settings.oidc.map(({ id, name }) => ({ id, name, path: oidcPath(id) })),
  };
}

/** The path by which this session goes to the provider to be connected. Throws 404. */
export async function beginConnection(
  { sessionId }: UserContext,
  { settings, secrets }: Pick<AuthParts, 'settings' | 'secrets'>,
  { providerId }: { providerId: string },
): Promise<{ path: string }> {
  if (!settings.oidc.some(({ id }) => id === providerId)) throw notFound();
  const ticket = secrets.seal(JSON.stringify({ sessionId, providerId, startedAt: Date.now() }), SEAL_CONTEXT);
  const connect = ticket.toString('base64url');
  return { path: address(oidcPath(providerId), { connect, returnTo: '/account' }) };
}

export function notThisSession() {
  return forbidden(
    'NOT_THIS_SESSION',
    'This was started in another session. Start again on your account page.',
  );
}

/** The session that a ticket, not yet too old, is of. Throws 403. */
export function openTicket(
  { secrets }: Pick<AuthParts, 'secrets'>,
  sealed: string,
  providerId: string,
): string {
  let ticket: z.output<typeof Ticket>;
  try {
    ticket = Ticket.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), SEAL_CONTEXT)));
  } catch {
    throw notThisSession();
  }
  const isOld = Date.now() - ticket.startedAt > MAX_AGE_SECONDS * 1000;
  if (isOld || ticket.providerId !== providerId) throw notThisSession();
  return ticket.sessionId;
}

/**
 * Connects the account of a session with who its browser came back as. Throws 409 ALREADY_CONNECTED where another account
 * has that login.
 */
export function finishConnection(
  deps: AuthParts,
  { user }: LiveSession,
  { identity, ip }: { identity: OidcIdentity; ip: string },
): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, user.id);
    if (await connectIdentity(trx, deps, { user, identity, client: { ip } })) return;
    const { issuer, subject } = identity;
    const holder = await trx
      .selectFrom('identities')
      .select('userId')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (holder?.userId === user.id) return;
    const name = providerNameOf(deps.settings, issuer);
    throw conflict('ALREADY_CONNECTED', `This ${name} login belongs to another account here.`);
  });
}

/** Disconnects one of the caller's logins, and tells them by mail. Throws 404, and 409 LAST_WAY_IN. */
export function disconnect(
  { db, user, audit }: UserContext,
  { settings, mail, log }: Pick<AuthParts, 'settings' | 'mail' | 'log'>,
  id: string,
): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    const rows = await readRows(trx, user.id);
    const gone = rows.find((row) => row.id === id);
    if (!gone) throw notFound();
    const { passwordSet, passkeys } = await readFactors(trx, { settings }, user.id);
    const others = rows.filter((row) => row !== gone && providerOf(settings, row.issuer));
    if (!passwordSet && others.length === 0 && !passkeys.some(({ usable }) => usable)) {
      throw conflict('LAST_WAY_IN', 'Nothing else logs you in. Set a password first.');
    }
    await trx.deleteFrom('identities').where('userId', '=', user.id).where('id', '=', id).execute();
    // Else somebody would keep what their group grants by leaving the provider before it takes that away.
    await applyGroups({ db: trx, settings, log }, user.id);
    const name = providerNameOf(settings, gone.issuer);
    audit.note({
      subject: { kind: 'person', id: user.id, name: user.email },
      before: { name, email: gone.email },
    });
    await mail.queueMail(trx, {
      ...{ to: user.email, subject: `Your Nephos account was disconnected from ${name}` },
      lines: [`${name} no longer logs you in to your account.`],
      action: { label: 'Look at your account', url: new URL('/account', settings.publicUrl).href },
      after: ["If it wasn't you, change your password."],
    });
    return { success: true };
  });
}
