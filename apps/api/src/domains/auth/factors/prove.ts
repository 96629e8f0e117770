import type { Proof } from '@nephos/contracts';
import type { Earlier, Once } from '@nephos/contracts/implement';
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
import { tellRefusal } from './tell-refusal.ts';

type Answer = { success: true };

/**
 * Notes in the caller's session that its person proved who they are; what is refused is recorded. Throws 403 INVALID_CREDENTIALS, INVALID_CODE
 * or PASSKEY_REFUSED, and 429 after five wrong ones in 15 minutes.
 */
export async function prove(
  deps: AuthParts,
  ctx: UserContext,
  { password, code, passkey }: z.output<typeof Proof>,
  once: Once<UserContext>,
): Promise<Answer | Earlier<Answer>> {
  const userId = ctx.user.id;
  const check = async () => {
    // Outside of the transaction, which would be open while the password is hashed.
    const isRight = password === undefined || (await fits(deps.db, userId, password));
    return once(async (inner) => {
      if (!isRight) throw forbidden('INVALID_CREDENTIALS', 'Password is incorrect.');
      if (code !== undefined) await redeemCode(deps, inner.db, { userId, code });
      if (passkey !== undefined) {
        await redeemPasskey(inner.db, deps, { purpose: 'prove', userId, response: passkey });
      }
      return noteProof(inner);
    });
  };
  return guardGuesses(deps, userId, () => tellRefusal(check, () => ctx.audit.writeRefusal(deps.db)));
}

async function noteProof({ db, user, sessionId }: UserContext): Promise<Answer> {
  await db
    .updateTable('sessions')
    .set({ provedAt: sql`now()` })
    .where('userId', '=', user.id)
    .where('publicId', '=', sessionId)
    .execute();
  return { success: true };
}

async function fits(db: Kysely<Database>, userId: string, password: string): Promise<boolean> {
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return verifyPassword(passwordHash, password);
}
