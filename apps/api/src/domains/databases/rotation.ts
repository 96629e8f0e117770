import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { newPassword } from './credentials.ts';
import type { DatabaseEngines } from './engines/engine.ts';
import { assertAvailable, type DatabaseRow } from './read.ts';
import { credentialsOf, sealPassword } from './sealed-password.ts';
import { asked } from './server-failure.ts';

export interface RotationParts {
  /** Not the transaction of a request: the intention has to be kept before the server is told. */
  db: Kysely<Database>;
  servers: DatabaseEngines;
  secrets: SecretsBox;
  log: Logger;
}

/**
 * Writes down which password the database will have. Whenever the process ends after this, `settlePassword` finds it
 * and brings server and row together. Throws 404 and 409.
 */
export async function intendPassword(
  { db, secrets }: RotationParts,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('managedDatabases')
      .select(['status', 'engineName'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    assertAvailable(row);
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
  const { db, servers, secrets, log } = parts;
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('managedDatabases')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    const { nextPassword: password, engineName } = row;
    if (password === null) return row;
    const engine = servers[row.type];
    await asked({ engine, log }, () => engine.setPassword(credentialsOf(secrets, { engineName, password })));
    return trx
      .updateTable('managedDatabases')
      .set({ password, nextPassword: null, passwordChanged: false })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
