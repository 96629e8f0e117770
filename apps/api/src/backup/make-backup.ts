import { openSnapshot, runsAsRoot } from '@nephos/db';
import type { Settings } from '../core/settings.ts';
import { readObjects } from '../platform/object-store/open-objects.ts';
import { loadSecretsKey } from '../platform/secrets-box.ts';
import { elsewhere } from './elsewhere.ts';
import type { Installation } from './installation.ts';
import { readEarlier } from './repository/earlier.ts';
import type { Manifest } from './repository/manifest.ts';
import { addChunksOf } from './repository/part-reader.ts';
import type { Repository } from './repository/repository.ts';
import { type Retention, superfluous } from './repository/retention.ts';
import { beginRecord, wordsOf } from './run-record.ts';
import { createCopying } from './sources/copying.ts';
import { copyDatabase } from './sources/database.ts';
import { copyApps, copyRedis } from './sources/folders.ts';
import { copyMariadb } from './sources/mariadb.ts';
import { copyObjects } from './sources/objects.ts';
import { copyPostgresServers } from './sources/postgres-servers.ts';
import { copySettings } from './sources/settings.ts';

/** All for as long as a weekend: who tries something notices on Monday that it went wrong on Friday. */
const KEPT: Retention = { hours: 72, days: 7, weeks: 4, months: 12 };

export interface MadeBackup {
  takenAt: Date;
  bytes: number;
  added: number;
  /** Backups that nothing keeps any more, and the bytes that went with them. */
  thinned: { backups: number; bytes: number };
  missing: string[];
}

interface BackupParts {
  settings: Settings;
  installation: Installation;
  repository: Repository;
  program: string;
  /** Told what it is at. */
  say(line: string): void;
}

/**
 * Backs up an installation, whether its server runs or not. What the database names stays until it is copied: deletions
 * heed the lock that the snapshot holds. Throws `BackupRuns`, `Cancelled`, `Damaged`.
 */
export async function makeBackup(parts: BackupParts): Promise<MadeBackup> {
  const { settings, installation, repository, say } = parts;
  const snapshot = await openSnapshot(installation.url);
  try {
    const before = await latest(repository);
    const record = await beginRecord(installation.db, 'backup', before?.bytes ?? null);
    const step = (words: string) => {
      record.step(words);
      say(words);
    };
    try {
      const { chunks } = repository;
      const { passphrase } = settings.backups;
      if (passphrase !== undefined && (await repository.setPassphrase(passphrase))) say('a new passphrase');
      await repository.mendKeyFiles();
      await chunks.survey();
      const { copying, result } = createCopying(chunks, {
        ...{ told: record.told, signal: record.signal },
        earlierPart: (name) =>
          readEarlier(
            chunks,
            before?.parts.find((part) => part.name === name),
          ),
      });
      step('database');
      await copyDatabase(copying, snapshot);
      await snapshot.end();
      step('files and images');
      await copyObjects(copying, await readObjects(settings, installation.db));
      step('databases');
      await copyPostgresServers(copying, settings.dataDir);
      await copyRedis(copying, settings.dataDir);
      await copyMariadb(copying, settings, installation.db);
      step('apps');
      await copyApps(copying, settings, installation.db);
      await copySettings(copying, settings);
      for (const sentence of elsewhere(settings)) copying.miss(sentence);
      const { parts: copied, missing, added } = result();
      const bytes = copied.reduce((sum, part) => sum + part.bytes, 0);
      const manifest: Manifest = {
        ...{ version: 1, program: parts.program, asRoot: runsAsRoot(), dataDir: settings.dataDir },
        takenAt: snapshot.takenAt.toISOString(),
        secretsKey: (await loadSecretsKey(settings)).toString('hex'),
        database: {
          lastMigration: snapshot.lastMigration,
          sequences: snapshot.sequences,
          queueVersion: snapshot.queueVersion,
        },
        ...{ parts: copied, missing, bytes, added },
      };
      record.signal.throwIfAborted();
      await snapshot.assertHeld();
      await repository.write(manifest);
      step('thinning');
      const thinned = await thin(repository).catch((error: unknown) => {
        // This backup is there nevertheless.
        missing.push(`Older backups were not thinned out. ${wordsOf(error)}`);
        return NOTHING;
      });
      await record.done({ bytes, added, missing });
      return { takenAt: snapshot.takenAt, bytes, added, thinned, missing };
    } catch (error) {
      await record.failed(error);
      throw error;
    }
  } finally {
    await snapshot.close();
  }
}

/** The latest backup that can be read: one that cannot is no help for the next. */
async function latest(repository: Repository): Promise<Manifest | undefined> {
  const [newest] = await repository.list();
  return newest && repository.read(newest).catch(() => undefined);
}

const NOTHING = { backups: 0, bytes: 0 };

/** Removes backups that nothing keeps, and the chunks that no other has. */
async function thin(repository: Repository): Promise<MadeBackup['thinned']> {
  const all = await repository.list();
  const gone = superfluous(all, KEPT);
  if (gone.length === 0) return NOTHING;
  const needed = new Set<string>();
  // Before anything goes: where one that stays cannot be read, nobody knows what it needs.
  for (const backup of all.filter((each) => !gone.includes(each))) {
    await addChunksOf(repository.chunks, await repository.read(backup), needed);
  }
  for (const backup of gone) await repository.remove(backup);
  return { backups: gone.length, bytes: await repository.chunks.sweep((name) => needed.has(name)) };
}
