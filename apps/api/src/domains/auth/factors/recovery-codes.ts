import { randomInt } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { SecretsBox } from '../../../platform/secrets-box.ts';

const CODES = 10;
const CHARACTERS = 12;
/** None that another could be taken for. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

function makeCode(): string {
  const text = Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return text.replace(/.{4}(?=.)/g, '$&-');
}

function hashOf(secrets: SecretsBox, userId: string, code: string): string {
  return secrets.fingerprint(`recovery code|${userId}|${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
}

/** Makes ten codes in the place of those there are. */
export async function makeRecoveryCodes(
  trx: Kysely<Database>,
  secrets: SecretsBox,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode);
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await trx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, hash: hashOf(secrets, userId, code) })))
    .execute();
  return codes;
}

/** Whether it is one of the account's codes, which is used up by that. */
export async function redeemRecoveryCode(
  db: Kysely<Database>,
  secrets: SecretsBox,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('hash', '=', hashOf(secrets, userId, code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
