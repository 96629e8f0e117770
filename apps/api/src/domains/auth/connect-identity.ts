import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { record } from '../../platform/audit.ts';
import type { AuthParts } from './auth.ts';
import { dropPending } from './email-change-links.ts';
import { providerNameOf } from './identities.ts';
import type { OidcIdentity } from './oidc.ts';
import type { SessionClient } from './sessions.ts';

/** What of somebody at a provider is kept. */
export type Connection = Pick<OidcIdentity, 'issuer' | 'subject' | 'groups'> & {
  email: string | null | undefined;
};

interface Connecting {
  user: { id: string; email: string };
  identity: Connection;
  client: Pick<SessionClient, 'ip'>;
}

/**
 * Connects an account with a login at a provider, for the record, and tells its person by mail. False where the login is
 * connected already, with this account or another one.
 */
export async function connectIdentity(
  trx: Kysely<Database>,
  { settings, mail }: Pick<AuthParts, 'settings' | 'mail'>,
  { user, identity: { issuer, subject, email, groups = [] }, client: { ip } }: Connecting,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identities')
    .values({ issuer, subject, userId: user.id, email: email ?? null, groups: [...groups] })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return false;
  const provider = providerNameOf(settings, issuer);
  // A change of address that somebody else may have begun would take the account from whom the provider speaks for.
  await dropPending(trx, user.id);
  await record(trx, {
    ...{ ownerId: user.id, actor: user, via: 'session', ip, procedure: 'auth.connectIdentity' },
    subject: { kind: 'person', id: user.id, name: user.email },
    after: { name: provider, email: email ?? null },
  });
  await mail.queueMail(trx, {
    ...{ to: user.email, subject: `Your Nephos account was connected with ${provider}` },
    lines: [`From now on you can log in to your account with ${provider}${email ? ` as ${email}` : ''}.`],
    action: { label: 'Look at your account', url: new URL('/account', settings.publicUrl).href },
    after: ["If it wasn't you, disconnect it there and change your password."],
  });
  return true;
}
