import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { issuerOf, type OidcSettings, type Settings } from '../../core/env.ts';

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
