import { newCredentials } from '../databases/credentials.ts';
import type { Credentials, DatabaseEngine, Dumps } from '../databases/engines/engine.ts';
import { credentialsOf } from '../databases/sealed-password.ts';
import { compareDump } from './compare-dump.ts';
import type { Finding } from './finding.ts';
import { baseKey } from './kept-objects.ts';
import type { PastParts } from './parts.ts';

type Parts = Pick<PastParts, 'db' | 'servers' | 'secrets' | 'kept' | 'log'>;

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

/** What is kept of a dump: bytes in the store, and the rows that it has of each table that was still meanwhile, as JSON. */
interface KeptDump {
  size: number;
  sha256: string;
  rowCounts: string;
}

/** Keeps a dump of a database as a backup. */
export async function keepDump(
  parts: Parts,
  { archiveId, id, ...database }: Kept & { archiveId: string; id: string },
  signal: AbortSignal,
): Promise<KeptDump> {
  const dumps = dumpsOf(parts, database.type);
  const credentials = credentialsOf(parts.secrets, database);
  const counting = <T>(work: Promise<ReadonlyMap<string, T>>) =>
    work.catch((error): ReadonlyMap<string, T> => {
      parts.log.warn(
        { err: error, backup: id },
        'the rows of a database could not be counted beside its backup',
      );
      return new Map();
    });
  // Whether it can be read at all shows by the dump.
  const before = await counting(dumps.mark(credentials));
  const stored = await parts.kept.put(baseKey(archiveId, id), dumps.read(credentials, signal));
  const rows = await counting(dumps.countStill(credentials, before));
  return { ...stored, rowCounts: JSON.stringify(Object.fromEntries(rows)) };
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
    const { rows, damage } = await dumps.check(trial);
    if (damage !== undefined) return { succeeded: false, detail: damage };
    const { rowCounts } = await db
      .selectFrom('databaseBackups')
      .select('rowCounts')
      .where('id', '=', backupId)
      .executeTakeFirstOrThrow();
    return compareDump(rows, rowCounts && new Map(Object.entries(rowCounts)));
  } finally {
    await servers[type].remove(trial.name);
    await archive().set({ trialName: null }).execute();
  }
}
