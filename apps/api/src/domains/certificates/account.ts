import type { Database } from '@nephos/db';
import type { Client } from 'acme-client';
import type { Kysely } from 'kysely';
import type { AcmeSettings } from '../../core/settings.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { LoadLibrary } from './library.ts';

export interface AccountParts {
  db: Kysely<Database>;
  secrets: Pick<SecretsBox, 'seal' | 'open'>;
  acme: AcmeSettings;
  load: LoadLibrary;
}

/** Milliseconds between two questions whether the authority has decided, doubled from the first to the last, and how many. */
const POLLS = { backoffMin: 500, backoffMax: 5000, backoffAttempts: 30 };

/** What speaks to the authority for our account there, which is made at first. One account serves all replicas. */
export async function openAccount(parts: AccountParts) {
  const { acme } = parts;
  const library = await parts.load();
  const { key, url } = await accountOf(parts, () => library.crypto.createPrivateEcdsaKey());
  const client = new library.Client({
    ...{ directoryUrl: acme.directory, accountKey: key, ...POLLS },
    ...(url !== null && { accountUrl: url }),
    ...(acme.binding && { externalAccountBinding: acme.binding }),
  });
  if (url === null) await register(parts, client);
  return { client, crypto: library.crypto };
}

/** Of replicas that come at once, all get the key of the first; the authority has one account for a key. */
async function accountOf({ db, secrets, acme: { directory } }: AccountParts, makeKey: () => Promise<Buffer>) {
  const context = `acme-account:${directory}`;
  const stored = () =>
    db.selectFrom('acmeAccounts').selectAll().where('directory', '=', directory).executeTakeFirst();
  let row = await stored();
  if (!row) {
    const sealedKey = secrets.seal(String(await makeKey()), context);
    await db
      .insertInto('acmeAccounts')
      .values({ directory, sealedKey, url: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    row = await stored();
  }
  if (!row) throw new Error('The account of the certificate authority was not stored.');
  return { key: secrets.open(row.sealedKey, context), url: row.url };
}

async function register({ db, acme }: AccountParts, client: Client): Promise<void> {
  await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${acme.email}`] });
  await rememberUrl({ db, acme }, client.getAccountUrl());
}

/** Has the key registered anew the next time: the authority says that it does not know the account. */
export async function forgetAccount(parts: Pick<AccountParts, 'db' | 'acme'>): Promise<void> {
  await rememberUrl(parts, null);
}

async function rememberUrl(
  { db, acme: { directory } }: Pick<AccountParts, 'db' | 'acme'>,
  url: string | null,
): Promise<void> {
  await db.updateTable('acmeAccounts').set({ url }).where('directory', '=', directory).execute();
}
