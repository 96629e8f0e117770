import { newCredentials } from '../databases/credentials.ts';
import type { Credentials, DatabaseEngine, Dumps } from '../databases/engines/engine.ts';
import { credentialsOf } from '../databases/sealed-password.ts';
import { countOf, type Finding } from './finding.ts';
import { baseKey } from './kept-objects.ts';
import type { PastParts } from './parts.ts';

type Parts = Pick<PastParts, 'db' | 'servers' | 'secrets' | 'kept'>;

/** A database as its row has it. */
interface Kept {
  type: DatabaseEngine['type'];
  engineName: string;
  password: Buffer;
}

function dumpsOf({ servers }: Parts, type: Kept['type']): Dumps {
  const { dumps } = servers[type];
  if (!dumps) throw new Error(`There are no dumps of ${type}.`);
  return dumps;
}

/** Keeps a dump of a database as a backup. */
export function keepDump(
  parts: Parts,
  { archiveId, id, ...database }: Kept & { archiveId: string; id: string },
  signal: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  const dump = dumpsOf(parts, database.type).read(credentialsOf(parts.secrets, database), signal);
  return parts.kept.put(baseKey(archiveId, id), dump);
}

export interface DumpRestore extends Kept {
  archiveId: string;
  /** Null: what is in the database now. */
  backupId: string | null;
  /** Told of each piece of a backup that was read, in bytes. */
  told(bytes: number): void;
  signal: AbortSignal;
}

/** Makes a database of a backup of another one, or of what is in that now. */
export async function loadDump(parts: Parts, restore: DumpRestore): Promise<void> {
  const { db, servers, secrets, kept } = parts;
  const { type, archiveId, backupId, signal } = restore;
  const source = await db
    .selectFrom('managedDatabases')
    .innerJoin('databaseArchives', 'databaseArchives.databaseId', 'managedDatabases.id')
    .where('databaseArchives.id', '=', archiveId)
    .select(['type', 'engineName', 'password'])
    .executeTakeFirstOrThrow();
  const dumps = dumpsOf(parts, type);
  const credentials = credentialsOf(secrets, restore);
  await makeAnew(servers[type], credentials);
  // Only now: what is opened has to be read.
  const dump =
    backupId === null
      ? dumps.read(credentialsOf(secrets, source), signal)
      : await kept.get(baseKey(archiveId, backupId), restore.told);
  await dumps.write(dump, { from: source.engineName, credentials, signal });
}

/** Empty, whatever an earlier attempt left in it. */
async function makeAnew(engine: DatabaseEngine, credentials: Credentials): Promise<void> {
  await engine.remove(credentials.name);
  await engine.create(credentials);
}

/** Restores a backup into a database that is thrown away, and reads all of it. */
export async function proveDump(
  parts: Parts,
  { archiveId, backupId, type, engineName }: Kept & { archiveId: string; backupId: string },
  signal: AbortSignal,
): Promise<Finding> {
  const { db, servers, kept } = parts;
  const dumps = dumpsOf(parts, type);
  const archive = () => db.updateTable('databaseArchives').where('id', '=', archiveId);
  const { trialName } = await db
    .selectFrom('databaseArchives')
    .select('trialName')
    .where('id', '=', archiveId)
    .executeTakeFirstOrThrow();
  // A stop may have left it.
  if (trialName !== null) await servers[type].remove(trialName);
  const trial = newCredentials();
  await archive().set({ trialName: trial.name }).execute();
  try {
    await servers[type].create(trial);
    const dump = await kept.get(baseKey(archiveId, backupId));
    await dumps.write(dump, { from: engineName, credentials: trial, signal });
    const { tables, rows, damage } = await dumps.check(trial);
    if (damage !== undefined) return { succeeded: false, detail: damage };
    return {
      succeeded: true,
      detail: `${countOf(tables, 'table')} with ${countOf(rows, 'row')} restored, and checked by the server. What was written since is not compared.`,
    };
  } finally {
    await servers[type].remove(trial.name);
    await archive().set({ trialName: null }).execute();
  }
}
