import {
  DATABASE_TYPES,
  type DatabaseEngineState,
  type DatabasePage,
  type DatabaseUsage,
  GB,
  type ManagedDatabase,
  type NewDatabase,
} from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import { assertLimit } from '../plans/limits.ts';
import { newCredentials } from './credentials.ts';
import type { DatabasesParts } from './databases.ts';
import type { DatabaseEngines } from './engines/engine.ts';
import { databasesOf, findAvailable, findDatabase } from './read.ts';
import { sealPassword } from './sealed-password.ts';
import { asked, assertServer } from './server-failure.ts';
import type { DatabaseWork } from './work.ts';

type DatabaseListInput = z.output<typeof DatabasePage>;

const LIST: ListShape<NonNullable<NonNullable<DatabaseListInput>['sort']>> = {
  id: 'id',
  texts: [sql`name`, sql`type`, sql`region`, sql`status`],
  orders: { name: { key: sql`lower(name)`, direction: 'asc' } },
};

/** The signed-in person's databases, newest first unless sorted otherwise. */
export function listDatabases(
  { db, ownerId }: UserContext,
  input: DatabaseListInput,
): Promise<ManagedDatabase[]> {
  return readPage(databasesOf(db, ownerId), LIST, input);
}

/** Which types can be made here. */
export function listEngines(servers: DatabaseEngines): DatabaseEngineState[] {
  return DATABASE_TYPES.map((type) => {
    const reason = servers[type].unavailable();
    return { type, available: reason === null, reason: reason ?? '' };
  });
}

/** Makes the row; the database follows in the background. Throws 403, 409 EXISTS, and 503 where none can be made. */
export async function createDatabase(
  { db, ownerId }: UserContext,
  { servers, work, secrets }: Pick<DatabasesParts, 'servers' | 'work' | 'secrets'>,
  input: z.output<typeof NewDatabase>,
): Promise<ManagedDatabase> {
  assertServer(servers[input.type]);
  return atomically(db, async (trx) => {
    await assertLimit(trx, ownerId, {
      of: 'databases',
      refusal: (most) => `You have reached the limit of ${most} databases. Delete one first.`,
    });
    const credentials = newCredentials();
    const inserted = await trx
      .insertInto('managedDatabases')
      .values({
        ...input,
        ownerId,
        engineName: credentials.name,
        password: sealPassword(secrets, credentials),
      })
      .onConflict((conflicting) => conflicting.columns(['ownerId', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw conflict('EXISTS', `You already have a database named ${input.name}.`);
    await work.provision(trx, inserted.id);
    return findDatabase(trx, ownerId, inserted.id);
  });
}

/** Makes a failed one again. Throws 404, 409 NOT_FAILED, and 503 while that cannot succeed. */
export async function retryDatabase(
  { db, ownerId }: UserContext,
  { servers, work }: Pick<DatabasesParts, 'servers' | 'work'>,
  id: string,
): Promise<ManagedDatabase> {
  return atomically(db, async (trx) => {
    const { type } = await findDatabase(trx, ownerId, id);
    assertServer(servers[type]);
    const { numUpdatedRows } = await trx
      .updateTable('managedDatabases')
      .set({ status: 'creating', error: '' })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .where('status', '=', 'failed')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw conflict('NOT_FAILED', 'Only a failed database can be retried.');
    }
    await work.provision(trx, id);
    return findDatabase(trx, ownerId, id);
  });
}

/** Deletes the row at once; the database goes right after, whatever happens to this process. */
export async function removeDatabase(
  { db, ownerId, audit }: Pick<UserContext, 'db' | 'ownerId' | 'audit'>,
  work: Pick<DatabaseWork, 'remove'>,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const deleted = await trx
      .deleteFrom('managedDatabases')
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .where('work', 'is distinct from', 'swapping')
      .returning(['id', 'type', 'engineName', 'home', 'name'])
      .executeTakeFirst();
    if (!deleted) {
      await findDatabase(trx, ownerId, id);
      throw conflict('BUSY', 'This database is being swapped with another one. Wait for that.');
    }
    const { name, ...gone } = deleted;
    audit.note({ subject: { name } });
    await work.remove(trx, gone);
  });
  return { success: true };
}

/** The server's own figures. Throws 404, 409 NOT_AVAILABLE, and 503 while it does not answer. */
export async function measureDatabase(
  { db, ownerId }: UserContext,
  { servers, log }: Pick<DatabasesParts, 'servers' | 'log'>,
  id: string,
): Promise<DatabaseUsage> {
  const { type, engineName, storageSize } = await findAvailable(db, ownerId, id);
  const engine = servers[type];
  const usage = await asked({ engine, log }, () => engine.usage(engineName));
  return { sizeLimit: storageSize * GB, ...usage };
}
