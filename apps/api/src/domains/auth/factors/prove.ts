import type { Proof } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { forbidden } from '../../../core/errors.ts';
import type { AuthParts } from '../auth.ts';
import { verifyPassword } from '../passwords.ts';
import { redeemPasskey } from './assertions.ts';
import { guardGuesses } from './code-limit.ts';
import { redeemCode } from './factors.ts';

/**
 * Notes in the caller's session that its person proved who they are. Throws 403 INVALID_CREDENTIALS, INVALID_CODE
 * or PASSKEY_REFUSED, and 429 after five wrong ones in 15 minutes.
 */
export async function prove(
  deps: AuthParts,
  { db, user, sessionId }: UserContext,
  { password, code, passkey }: z.output<typeof Proof>,
): Promise<{ success: true }> {
  if (passkey !== undefined) {
    await redeemPasskey(db, deps, { purpose: 'prove', userId: user.id, response: passkey });
  }
  if (code !== undefined) await redeemCode(deps, db, { userId: user.id, code });
  if (password !== undefined) {
    await guardGuesses(deps, user.id, () => checkPassword(db, user.id, password));
  }
  await db
    .updateTable('sessions')
    .set({ provedAt: sql`now()` })
    .where('userId', '=', user.id)
    .where('publicId', '=', sessionId)
    .execute();
  return { success: true };
}

async function checkPassword(db: Kysely<Database>, userId: string, password: string): Promise<void> {
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (await verifyPassword(passwordHash, password)) return;
  throw forbidden('INVALID_CREDENTIALS', 'Password is incorrect.');
}
