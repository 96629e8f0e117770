import type { TotpSetup } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type * as otpauth from 'otpauth';
import type { SecretsBox } from '../../../platform/secrets-box.ts';

const ISSUER = 'Nephos';
/** 160 bits, as RFC 4226 §4 advises. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Steps before and after the present one whose codes are taken as well: clocks of phones differ. */
const WINDOW = 1;

function contextOf(userId: string): string {
  return `totp_secrets.secret:${userId}`;
}

function totpOf({ TOTP }: typeof otpauth, secret: otpauth.Secret, label: string): otpauth.TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, period: PERIOD_SECONDS });
}

/** Makes the secret of an app that is to be confirmed, in the place of one that never was. */
export async function makeTotp(
  db: Kysely<Database>,
  secrets: SecretsBox,
  { id, email }: { id: string; email: string },
): Promise<TotpSetup> {
  const library = await import('otpauth');
  const secret = new library.Secret({ size: SECRET_BYTES });
  const sealed = secrets.seal(secret.base32, contextOf(id));
  await db
    .insertInto('totpSecrets')
    .values({ userId: id, secret: sealed })
    .onConflict((row) => row.column('userId').doUpdateSet({ secret: sealed }))
    .execute();
  return { secret: secret.base32, address: totpOf(library, secret, email).toString() };
}

/**
 * Whether a code is right by the database's clock. It is used up by that: neither it nor an older one is right again,
 * however many ask at the same time. `confirmed`: whether the app has been confirmed.
 */
export async function redeemTotp(
  db: Kysely<Database>,
  secrets: SecretsBox,
  { userId, code, confirmed }: { userId: string; code: string; confirmed: boolean },
): Promise<boolean> {
  const row = await db
    .selectFrom('totpSecrets')
    .select(['secret', sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`.as('now')])
    .where('userId', '=', userId)
    .where('confirmedAt', confirmed ? 'is not' : 'is', null)
    .executeTakeFirst();
  if (!row) return false;
  const library = await import('otpauth');
  const secret = library.Secret.fromBase32(secrets.open(row.secret, contextOf(userId)));
  const delta = totpOf(library, secret, '').validate({ token: code, timestamp: row.now, window: WINDOW });
  if (delta === null) return false;
  const step = Math.floor(row.now / 1000 / PERIOD_SECONDS) + delta;
  const { numUpdatedRows } = await db
    .updateTable('totpSecrets')
    .set({ lastStep: step, confirmedAt: sql`coalesce(confirmed_at, now())` })
    .where('userId', '=', userId)
    .where('secret', '=', row.secret)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
