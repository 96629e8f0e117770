import {
  DATABASE_TYPES,
  type DatabaseEngineState,
  type DatabaseUsage,
  GB,
  MAX_DATABASES,
  MAX_PAGE,
  type ManagedDatabase,
  type NewDatabase,
  type Page,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';
import { countOwned } from '../auth/count-owned.ts';
import { lockAccount } from '../auth/lock-account.ts';
import { newCredentials } from './credentials.ts';
import { databasesOf, findAvailable, findDatabase } from './read.ts';
import { sealPassword } from './sealed-password.ts';
import { asked, assertServer } from './server-failure.ts';

/** The signed-in person's databases, newest first. */
export function listDatabases(
  { db, user }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<ManagedDatabase[]> {
  const all = databasesOf(db, user.id).orderBy('id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

/** Which types can be made here. */
export function listEngines({ databaseEngines }: UserContext): DatabaseEngineState[] {
  return DATABASE_TYPES.map((type) => {
    const reason = databaseEngines[type].unavailable();
    return { type, available: reason === null, reason: reason ?? '' };
  });
}

/** Makes the row; the database follows in the background. Throws 403, 409 EXISTS, and 503 where none can be made. */
export async function createDatabase(
  ctx: UserContext,
  input: z.output<typeof NewDatabase>,
): Promise<ManagedDatabase> {
  const { user, databaseEngines, databases, secrets } = ctx;
  assertServer(databaseEngines[input.type]);
  return atomically(ctx.db, async (trx) => {
    await assertRoom(trx, user.id);
    const credentials = newCredentials();
    const inserted = await trx
      .insertInto('managedDatabases')
      .values({
        ...input,
        ownerId: user.id,
        engineName: credentials.name,
        password: sealPassword(secrets, credentials),
      })
      .onConflict((conflicting) => conflicting.columns(['ownerId', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw conflict('EXISTS', `You already have a database named ${input.name}.`);
    await databases.provision(trx, inserted.id);
    return findDatabase(trx, user.id, inserted.id);
  });
}

/** Under the account's lock, so that calls at the same time are counted one after the other. */
async function assertRoom(trx: Kysely<Database>, userId: string): Promise<void> {
  await lockAccount(trx, userId);
  const count = await countOwned(trx, 'managedDatabases', userId);
  if (count < MAX_DATABASES) return;
  throw forbidden(
    'PLAN_LIMIT_REACHED',
    `An account has room for ${MAX_DATABASES} databases. Delete one first.`,
  );
}

/** Makes a failed one again. Throws 404, 409 NOT_FAILED, and 503 while that cannot succeed. */
export async function retryDatabase(ctx: UserContext, id: string): Promise<ManagedDatabase> {
  const { user, databaseEngines, databases } = ctx;
  return atomically(ctx.db, async (trx) => {
    const { type } = await findDatabase(trx, user.id, id);
    assertServer(databaseEngines[type]);
    const { numUpdatedRows } = await trx
      .updateTable('managedDatabases')
      .set({ status: 'creating', error: '' })
      .where('ownerId', '=', user.id)
      .where('id', '=', id)
      .where('status', '=', 'failed')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw conflict('NOT_FAILED', 'Only a database that could not be created can be retried.');
    }
    await databases.provision(trx, id);
    return findDatabase(trx, user.id, id);
  });
}

/** Deletes the row at once; the database goes right after, whatever happens to this process. */
export async function removeDatabase(
  { db, user, databases }: UserContext,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const deleted = await trx
      .deleteFrom('managedDatabases')
      .where('ownerId', '=', user.id)
      .where('id', '=', id)
      .returning(['id', 'type', 'engineName'])
      .executeTakeFirst();
    if (!deleted) throw notFound();
    await databases.remove(trx, deleted);
  });
  return { success: true };
}

/** The server's own figures. Throws 404, 409 NOT_AVAILABLE, and 503 while it does not answer. */
export async function measureDatabase(
  { db, user, databaseEngines, log }: UserContext,
  id: string,
): Promise<DatabaseUsage> {
  const { type, engineName, storageSize } = await findAvailable(db, user.id, id);
  const engine = databaseEngines[type];
  const usage = await asked({ engine, log }, () => engine.usage(engineName));
  return { ...usage, sizeLimit: storageSize * GB };
}
