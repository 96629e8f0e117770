import type { User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { AuthParts } from './auth.ts';
import type { Entry } from './entrance.ts';
import { tellNewDevice } from './new-device.ts';
import { connectPending } from './pending-identities.ts';
import { recordPassage } from './record-entrance.ts';
import type { SessionClient } from './sessions.ts';

/**
 * Begins the session of somebody who proved who they are, in the transaction of that. It goes on the record, and who had
 * the account already is told where the browser is new to it. A login at a provider that the browser waits to connect with
 * the account is connected.
 */
export async function beginSession(
  trx: Kysely<Database>,
  deps: AuthParts,
  { user, client, isNew = false }: { user: User; client: SessionClient; isNew?: boolean },
): Promise<Entry> {
  await recordPassage(trx, { user, procedure: isNew ? 'auth.signUp' : 'auth.logIn', client });
  if (!isNew) await tellNewDevice(trx, deps, user, client);
  await connectPending(trx, deps, { user, client });
  return { user, setCookie: await deps.sessions.create(user.id, client, trx) };
}
