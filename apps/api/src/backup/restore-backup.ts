import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createDb, createPool, endServerIn, loadSnapshot, migrate, removeTree } from '@nephos/db';
import { startEmbeddedPostgres } from '@nephos/db/embedded';
import { getConstructionPlans } from 'pg-boss';
import { countOf } from '../core/count-of.ts';
import { SettingError, type Settings } from '../core/settings.ts';
import { hasKeptDumps } from '../domains/databases/engines/mysql/kept-dumps.ts';
import { takeDataFolder } from '../platform/data-folder.ts';
import type { Manifest, Part } from './repository/manifest.ts';
import { createChunkReader, entriesOf } from './repository/part-reader.ts';
import type { Repository } from './repository/repository.ts';
import { restoreObjects } from './restore-objects.ts';
import { restoreTree } from './restore-tree.ts';
import { assertRoom } from './room.ts';
import { DATABASE_PART } from './sources/database.ts';
import { APPS_PART, REDIS_PART } from './sources/folders.ts';
import { MARIADB_PART } from './sources/mariadb.ts';
import { OBJECTS_PART } from './sources/objects.ts';
import { DATABASES_PART, SHARED_PART } from './sources/postgres-servers.ts';
import { SETTINGS_FILE, SETTINGS_PART } from './sources/settings.ts';
import { apartFromVolumes, keepVolumes, type TakeVolume } from './volume-archives.ts';

const run = promisify(execFile);

/** What parts are, for whoever restores them. */
const WORDS: Readonly<Record<string, string>> = {
  [APPS_PART]: 'apps, repositories and disks',
  [DATABASES_PART]: 'PostgreSQL databases',
  [SHARED_PART]: 'the server that PostgreSQL databases share',
  [REDIS_PART]: 'Redis databases',
  [MARIADB_PART]: 'MySQL databases',
  [SETTINGS_PART]: 'settings',
};

export interface RestoreParts {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'secretsKey'>;
  repository: Repository;
  manifest: Manifest;
  say(line: string): void;
  signal: AbortSignal;
  /** Called with the folder while nobody else can enter it, when all is there but our own database. */
  filled?(folder: string): Promise<void>;
}

/** Bytes that are free beside what is restored: for what a database writes as it starts. */
const BESIDE = 256 * 1024 ** 2;

/** Where a backup lies until all of it is there. */
export const halfOf = (dataDir: string) => `${dataDir}.restoring`;

export function assertRoomHere({ settings: { dataDir }, ...backup }: RestoreParts): Promise<void> {
  return assertRoom(dirname(dataDir), { ...backup, beside: BESIDE, what: 'This backup' });
}

/**
 * Restores a backup that `assertRestorable` let pass: beside `dataDir`, which it becomes by a rename when all of it is
 * there. Where it is cut short, it is begun anew by the next call. Resolves to what came back, and what could not: lines.
 */
export async function restoreBackup(parts: RestoreParts): Promise<string[]> {
  const { settings, manifest } = parts;
  const { dataDir } = settings;
  const half = halfOf(dataDir);
  const isLeft = existsSync(half);
  await mkdir(dirname(dataDir), { recursive: true });
  const release = takeDataFolder(half);
  try {
    // Accounts of apps that run here may have the numbers of those that come.
    await chmod(half, 0o700);
    await clear(half);
    if (isLeft) await assertRoomHere(parts);
    const lines = await fill(parts, half);
    await parts.filled?.(half);
    // The account of our own database's server has to get to its folder, or the server would lie elsewhere.
    await chmod(half, 0o711);
    const settled = await restoreDatabase(parts, half, lines);
    await run('sync', ['-f', half], { env: { PATH: process.env.PATH } }).catch(() => {});
    if (existsSync(dataDir)) await rmdir(dataDir);
    // First: a database in use that still seems to be half restored would be thrown away by another restore.
    await settled();
    await rename(half, dataDir);
    await using parent = await open(dirname(dataDir));
    await parent.sync();
    for (const sentence of manifest.missing) lines.push(`Not here: ${sentence}`);
    return lines;
  } finally {
    release();
  }
}

/** Removes what a restore that was cut short has left, but for the lock. */
async function clear(half: string): Promise<void> {
  await endServerIn(join(half, 'pg'), 'postgres');
  for (const name of readdirSync(half)) {
    if (!name.startsWith('lock')) await removeTree(join(half, name));
  }
}

async function fill({ settings, repository, manifest, say, signal }: RestoreParts, half: string) {
  const lines: string[] = [];
  const { chunks } = repository;
  const reader = createChunkReader(chunks);
  if (!settings.secretsKey) {
    await writeFile(join(half, 'secrets.key'), `${manifest.secretsKey}\n`, { mode: 0o600, flush: true });
  }
  for (const part of manifest.parts) {
    if (part.name === DATABASE_PART) continue;
    const words = WORDS[part.name] ?? part.name;
    say(`… ${words}`);
    if (part.name === OBJECTS_PART) {
      const objects = await restoreObjects(repository, part, { half, signal });
      lines.push(`files and images: ${countOf(objects, 'object')}`);
      continue;
    }
    let volumes = 0;
    const keep = keepVolumes(join(half, APPS_PART));
    const take: TakeVolume = async (volume, archive) => {
      await keep(volume, archive);
      volumes += 1;
    };
    const { takenAt } = manifest;
    const entries = apartFromVolumes(entriesOf(chunks, part), { reader, takenAt, take });
    const files = await restoreTree(entries, reader, {
      placeOf: (path) => placeOf(half, part.name, path),
      miss: (sentence) => void lines.push(`Not here: ${part.name}/${sentence}`),
      signal,
    });
    lines.push(
      part.name === SETTINGS_PART
        ? `settings of that installation, in ${join(settings.dataDir, SETTINGS_FILE)}: compare them with yours`
        : `${words}: ${countOf(files, 'file')}`,
    );
    if (volumes > 0) {
      lines.push(
        `Disks of apps in containers: ${volumes}. Each becomes a Docker volume when its app is first started`,
      );
    }
    if (part.name === MARIADB_PART && hasKeptDumps(join(half, part.name))) {
      lines.push(
        'MySQL databases are loaded when their server is first started, which needs mariadb-server here',
      );
    }
  }
  return lines;
}

/** Where what a part has is restored to. Of the shared server, the password lies beside its folder. */
export function placeOf(half: string, name: string, path: string): string {
  if (name === SETTINGS_PART) return join(half, path);
  if (name !== SHARED_PART) return join(half, name, path);
  return path === 'password'
    ? join(half, `${name}.password`)
    : join(half, name, path.replace(/^data\/?/, ''));
}

async function restoreDatabase(
  parts: RestoreParts,
  half: string,
  lines: string[],
): Promise<() => Promise<void>> {
  const { settings, say } = parts;
  say('… the database');
  if (settings.databaseUrl) return loadDatabase(parts, settings.databaseUrl, lines);
  const server = await startEmbeddedPostgres({ dataDir: join(half, 'pg') });
  try {
    const settled = await loadDatabase(parts, server.url, lines);
    // What is in a folder of ours is there when the folder is.
    await settled();
    return async () => {};
  } finally {
    await server.stop();
    await rm(join(half, 'pg.log'), { force: true });
  }
}

async function loadDatabase(
  { repository, manifest, signal }: RestoreParts,
  url: string,
  lines: string[],
): Promise<() => Promise<void>> {
  const { chunks } = repository;
  const reader = createChunkReader(chunks);
  const part = manifest.parts.find(({ name }) => name === DATABASE_PART);
  if (!part) throw new SettingError('This backup has no database.');
  let rows = 0;
  async function* tables() {
    for await (const entry of entriesOf(chunks, part as Part)) {
      if (entry.kind !== 'table') continue;
      rows += entry.rows;
      const { path: name, columns, at } = entry;
      yield { shape: { name, columns }, rows: Readable.from(reader.bytes(at)) };
    }
  }
  const { settled, queue } = await loadSnapshot(url, {
    ...manifest.database,
    ...{ tables: tables(), queuePlans: getConstructionPlans('pgboss'), signal },
  });
  const db = createDb(createPool({ url, max: 2 }));
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  lines.unshift(`the database as of ${manifest.takenAt}: ${countOf(rows, 'row')}`);
  if (!queue && manifest.database.queueVersion !== null) {
    lines.push(
      'Not here: work that waited when the backup was made, since this version keeps it otherwise. What matters is looked for again by the server.',
    );
  }
  return settled;
}
