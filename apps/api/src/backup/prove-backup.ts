import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endServerIn, holdProofs, reachableFolder, removeTree } from '@nephos/db';
import { countOf } from '../core/count-of.ts';
import { SettingError, type Settings } from '../core/settings.ts';
import { takeDataFolder } from '../platform/data-folder.ts';
import { readDiskStore } from '../platform/object-store/disk-store.ts';
import { readObjects } from '../platform/object-store/open-objects.ts';
import type { Installation } from './installation.ts';
import { checkDatabase } from './proof/check-database.ts';
import { checkServers } from './proof/check-servers.ts';
import { type ComparedFiles, compareFiles } from './proof/compare-files.ts';
import { compareObjects } from './proof/compare-objects.ts';
import type { Manifest } from './repository/manifest.ts';
import { verify } from './repository/part-reader.ts';
import type { BackupName, Repository } from './repository/repository.ts';
import { restoreBackup } from './restore-backup.ts';
import { assertRoom } from './room.ts';
import { beginRecord } from './run-record.ts';
import { REDIS_PART } from './sources/folders.ts';
import { DATABASES_PART, SHARED_PART } from './sources/postgres-servers.ts';

/** Bytes that a trial takes beside what is restored: our own database's log, and room that others need. */
const BESIDE = 1024 ** 3;

/** A restored backup was not what it is of. Its message is for people. */
export class NotProved extends Error {
  override readonly name = 'NotProved';
}

export interface ProofParts {
  settings: Settings;
  installation: Installation;
  /** It is only read. */
  repository: Repository;
  /** Has the next backup put a chunk anew. */
  condemn(chunk: string): Promise<void>;
  say(line: string): void;
}

/**
 * Restores the latest backup to a temporary place, opens all that can be opened of it, compares it with what it is of, and
 * removes it again. Resolves to what was found, in lines. Throws `NotProved`, `Damaged`, `SettingError`, `Cancelled`, `BackupRuns`.
 */
export async function proveBackup(parts: ProofParts): Promise<string[]> {
  const [newest] = await parts.repository.list();
  if (!newest) throw new SettingError('There is no backup to prove yet.');
  const letGo = await holdProofs(parts.installation.url);
  try {
    return await proveOne(newest, parts);
  } finally {
    await letGo();
  }
}

async function proveOne(
  backup: BackupName,
  { settings, installation, repository, condemn, say }: ProofParts,
): Promise<string[]> {
  const place = reachableFolder(join(settings.dataDir, 'proof'), 'proof');
  const release = takeDataFolder(place);
  try {
    await clear(place);
    const record = await beginRecord(installation.db, 'proof', null);
    try {
      const manifest = await repository.read(backup);
      const folder = join(place, 'restored');
      const proving = { settings, installation, repository, manifest, folder, condemn };
      const lines = await prove(proving, {
        signal: record.signal,
        step(words) {
          record.step(words);
          say(`… ${words}`);
        },
      });
      // Before it is told of, since whoever reads that it is over may ask for the next one.
      await clear(place);
      await record.done({ bytes: manifest.bytes, added: 0, missing: [] });
      return lines;
    } catch (error) {
      await clear(place).finally(() => record.failed(error));
      throw error;
    }
  } finally {
    release();
  }
}

interface Proving extends Omit<ProofParts, 'say'> {
  manifest: Manifest;
  /** Where it is restored to. */
  folder: string;
}

async function prove(
  { settings, installation, repository, manifest, folder, condemn }: Proving,
  { signal, step }: { signal: AbortSignal; step(words: string): void },
): Promise<string[]> {
  await assertRoom(join(folder, '..'), { repository, manifest, beside: BESIDE, what: 'A proof' });
  step('reading all of the backup');
  await verify(repository.chunks, manifest, {
    signal,
    // Where a backup is being made just now, the next proof finds it again.
    condemn: (chunk) => condemn(chunk).catch(() => {}),
  });
  step('restoring it');
  const trial = { dataDir: folder, databaseUrl: undefined, secretsKey: undefined };
  let files: ComparedFiles | undefined;
  await restoreBackup({
    ...{ settings: trial, repository, manifest, signal, say: () => {} },
    async filled(half) {
      step('comparing apps, disks and dumps');
      files = await compareFiles(half, { repository, manifest, signal });
    },
  });
  step('comparing the database');
  const database = await checkDatabase(folder, { repository, manifest });
  step('comparing files and images');
  const objects = await compareObjects(readDiskStore(join(folder, 'objects')), {
    ...{ signal, originals: await readObjects(settings, installation.db) },
  });
  step('opening databases');
  const servers = await checkServers(folder, { path: settings.hostEnvironment.PATH ?? '', signal });
  const [problem, ...more] = [
    ...(files?.problems ?? ['Files were not compared.']),
    ...database.problems,
    ...objects.problems,
    ...servers.problems,
  ];
  if (problem) throw new NotProved(more.length > 0 ? `${problem} And ${more.length} more.` : problem);
  return [
    `as in the installation: ${countOf(database.tables, 'table')} with ${countOf(database.rows, 'row')}`,
    `as they are stored: ${countOf(objects.compared, 'object')} of files and images`,
    `as they were backed up: ${countOf(files?.files ?? 0, 'file')} of apps and databases, ${amongThem(files)}`,
    `opened: ${countOf(servers.databases, 'database')} with ${countOf(servers.rows, 'row')} or keys, without damage`,
  ];
}

function amongThem({ volumes = 0, dumps = 0 }: Partial<ComparedFiles> = {}): string {
  return `among them ${countOf(volumes, 'disk')} of apps in containers and ${countOf(dumps, 'dump')} of MySQL databases`;
}

/** Removes what was restored, and what a proof that was killed has left running in it. */
async function clear(place: string): Promise<void> {
  for (const folder of [join(place, 'restored'), join(place, 'restored.restoring')]) {
    if (!existsSync(folder)) continue;
    for (const data of ['pg', SHARED_PART]) await endServerIn(join(folder, data), 'postgres');
    for (const name of namesIn(join(folder, DATABASES_PART))) {
      await endServerIn(join(folder, DATABASES_PART, name, 'data'), 'postgres');
    }
    for (const name of namesIn(join(folder, REDIS_PART))) {
      await endServerIn(join(folder, REDIS_PART, name, 'data'), 'redis-server');
    }
    await removeTree(folder);
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
