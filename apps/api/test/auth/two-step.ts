import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Person, World } from '../world.ts';

/** The code of an authenticator app so many steps from now; within one step of the server's clock it is right. */
export function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** As if nobody had proved anything in any of a person's sessions for an hour. */
export async function ageProofs(
  { deps }: Pick<World, 'deps'>,
  { user }: Pick<Person, 'user'>,
): Promise<void> {
  await deps.db
    .updateTable('sessions')
    .set({ provedAt: sql`now() - interval '61 minutes'` })
    .where('userId', '=', user.id)
    .execute();
}
