import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { conflict, notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { newPassword } from './credentials.ts';
import type { DatabaseEngines } from './engines/engine.ts';
import { assertAvailable, type DatabaseRow } from './read.ts';
import { credentialsOf, sealPassword } from './sealed-password.ts';
import { asked } from './server-failure.ts';

export interface RotationParts {
  db: Kysely<Database>;
  servers: DatabaseEngines;
  secrets: SecretsBox;
  log: Logger;
}

/**
 * Writes down which password the database will have. Whenever the process ends once this is committed, `settlePassword`
 * finds it and brings server and row together. Throws 404, 409 NOT_AVAILABLE, and BUSY while it is being moved.
 */
export async function intendPassword(
  db: Kysely<Database>,
  { secrets }: Pick<RotationParts, 'secrets'>,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<void> {
  await atomically(db, async (trx) => {
    const row = await trx
      .selectFrom('managedDatabases')
      .select(['status', 'engineName', 'work'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    assertAvailable(row);
    if (row.work === 'moving') throw conflict('BUSY', 'This database is being moved. Wait for that.');
    await trx
      .updateTable('managedDatabases')
      .set({ nextPassword: sealPassword(secrets, { name: row.engineName, password: newPassword() }) })
      .where('id', '=', id)
      .execute();
  });
}

/**
 * The row with the password that its server accepts: an intended one is set there first, and sessions of the old one
 * have ended. Of several at once, the first does it and all get the same. Throws 404, and 503 while it is not certain.
 */
export async function settlePassword(parts: RotationParts, id: string): Promise<DatabaseRow> {
  await wakeServer(parts, id);
  const lock = sql`hashtextextended(${`password of ${id}`}, 0)`;
  // Held by the connection: a transaction that is idle for as long as a server may take would be ended.
  return parts.db.connection().execute(async (db) => {
    await sql`select pg_advisory_lock(${lock})`.execute(db);
    try {
      return await settle({ ...parts, db }, id);
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(db);
    }
  });
}

/** Before a connection of ours is held: a server may take long to start. */
async function wakeServer({ db, servers, log }: RotationParts, id: string): Promise<void> {
  const row = await db
    .selectFrom('managedDatabases')
    .select(['type', 'engineName'])
    .where('id', '=', id)
    .where('nextPassword', 'is not', null)
    .executeTakeFirst();
  if (!row) return;
  const engine = servers[row.type];
  await asked({ engine, log }, () => engine.wake?.(row.engineName));
}

/** Whoever intends yet another one meanwhile has that set as well, so that the last to be set is the one that is kept. */
async function settle(parts: RotationParts, id: string): Promise<DatabaseRow> {
  const { db, servers, secrets, log } = parts;
  const row = await db.selectFrom('managedDatabases').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  const { nextPassword: password, engineName } = row;
  if (password === null) return row;
  const engine = servers[row.type];
  await asked({ engine, log }, () => engine.setPassword(credentialsOf(secrets, { engineName, password })));
  const settled = await db
    .updateTable('managedDatabases')
    .set({ password, nextPassword: null, passwordChanged: false })
    .where('id', '=', id)
    .where('nextPassword', '=', password)
    .returningAll()
    .executeTakeFirst();
  return settled ?? settle(parts, id);
}
