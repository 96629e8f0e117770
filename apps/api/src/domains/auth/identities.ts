import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { issuerOf } from '../../core/env.ts';
import type { OidcSettings, Settings } from '../../core/settings.ts';

/** The configured providers that an account is connected with: one that is not configured any more lets nobody in. */
export async function providersOf(
  db: Kysely<Database>,
  { oidc }: Pick<Settings, 'oidc'>,
  userId: string,
): Promise<OidcSettings[]> {
  const rows = await db.selectFrom('identities').select('issuer').where('userId', '=', userId).execute();
  const issuers = new Set(rows.map(issuerOf));
  return oidc.filter((provider) => issuers.has(issuerOf(provider)));
}

/** The provider of an issuer; undefined where it is not configured any more. */
export function providerOf({ oidc }: Pick<Settings, 'oidc'>, issuer: string): OidcSettings | undefined {
  return oidc.find((provider) => issuerOf(provider) === issuerOf({ issuer }));
}

/** What people call the provider of an issuer; its host where it is not configured any more. */
export function providerNameOf({ oidc }: Pick<Settings, 'oidc'>, issuer: string): string {
  return providerOf({ oidc }, issuer)?.name ?? new URL(issuer).host;
}

/**
 * Disconnects an account whose password was set by a link from logins that its address does not speak for: whoever had
 * the account before may have connected one of their own.
 */
export async function dropForeignIdentities(
  trx: Kysely<Database>,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await trx
    .deleteFrom('identities')
    .where('userId', '=', id)
    .where('email', 'is distinct from', email)
    .execute();
}

/** Disconnects an account from the logins that it was connected with since an instant. */
export async function dropIdentitiesSince(
  trx: Kysely<Database>,
  userId: string,
  since: string,
): Promise<void> {
  await trx.deleteFrom('identities').where('userId', '=', userId).where('createdAt', '>=', since).execute();
}
