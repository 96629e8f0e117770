import { setTimeout as wait } from 'node:timers/promises';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import type { DatabaseEngines } from './engines/engine.ts';
import { isNew } from './read.ts';
import { credentialsOf } from './sealed-password.ts';
import { failureOf } from './server-failure.ts';

export interface ProvisionParts {
  db: Kysely<Database>;
  servers: DatabaseEngines;
  secrets: SecretsBox;
  log: Logger;
}

const ATTEMPTS = 4;
/** Milliseconds before the second attempt; each later pause is twice the one before. */
const FIRST_PAUSE = 500;

/** Makes the database of a row that is `creating`, and says in the row what became of it. May be repeated. */
export async function provision(
  { db, servers, secrets, log }: ProvisionParts,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<void> {
  const row = await db
    .selectFrom('managedDatabases')
    .select(['type', 'engineName', 'password'])
    .where('id', '=', id)
    .where('status', '=', 'creating')
    .where(isNew)
    .executeTakeFirst();
  if (!row) return;
  const engine = servers[row.type];
  const credentials = credentialsOf(secrets, row);
  try {
    await patiently(signal, () => engine.create(credentials));
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error, database: id, type: row.type }, 'a database could not be created');
    await conclude(db, id, { status: 'failed', error: failureOf(engine) });
    return;
  }
  await conclude(db, id, { status: 'available', error: '' });
}

async function patiently(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || signal.aborted) throw error;
    }
    await wait(FIRST_PAUSE * 2 ** (attempt - 1), undefined, { signal });
  }
}

async function conclude(
  db: Kysely<Database>,
  id: string,
  end: { status: 'available' | 'failed'; error: string },
): Promise<void> {
  await atomically(db, async (trx) => {
    const row = await trx
      .updateTable('managedDatabases')
      .set(end)
      .where('id', '=', id)
      .where('status', '=', 'creating')
      .returning(['ownerId', 'name'])
      .executeTakeFirst();
    if (!row) return;
    const { ownerId, name } = row;
    const kind = 'database-unavailable';
    if (end.status === 'available') return recoverAlerts(trx, { ownerId, kinds: [kind], subjectId: id });
    await raiseAlert(trx, {
      ...{ ownerId, kind, once: '1', path: `/databases/${id}` },
      subject: { kind: 'database', id, name },
      text: `The database ${name} could not be created. ${end.error}`,
    });
  });
}
