import type { Bytes } from '../platform/object-store/object-store.ts';
import type { Platform } from '../platform/platform.ts';
import { keptKey } from './kept-key.ts';
import { readBackupStore } from './repository/backup-store.ts';
import type { Chunks } from './repository/chunks.ts';
import { Entry, type Part } from './repository/manifest.ts';
import { createChunkReader, linesOf } from './repository/part-reader.ts';
import { openRepository, repositoryIds } from './repository/repository.ts';
import { OBJECTS_PART } from './sources/objects.ts';

/** What one backup has under a key of the object store; undefined for nothing. Throws `Damaged`. */
export type OpenBackedUp = (key: string) => Promise<Bytes | undefined>;

/**
 * Looks into the installation's own backups, the newest first; into none where there are none, or none whose key was kept.
 * Throws `SettingError` where they cannot be reached from here, `PlaceFailed`, `Damaged` and `WrongKey`. Nothing is changed there.
 */
export async function* backedUpObjects({
  settings: { backups },
  db,
  secrets,
}: Pick<Platform, 'settings' | 'db' | 'secrets'>): AsyncGenerator<OpenBackedUp> {
  if (!backups.target) return;
  const store = await readBackupStore(backups.target, backups.server);
  const ids = await repositoryIds(store);
  const key = ids.length > 0 && (await keptKey(db, secrets, ids));
  if (!key) return;
  const repository = await openRepository(store, { key });
  const { chunks } = repository;
  for (const backup of await repository.list()) {
    yield async (wanted) => {
      const { parts } = await repository.read(backup);
      const part = parts.find(({ name }) => name === OBJECTS_PART);
      const entry = part && (await findObject(chunks, part, wanted));
      return entry && createChunkReader(chunks).bytes(entry.at);
    };
  }
}

const NEWLINE = 0x0a;

/** The object of this key in a part; undefined where it has none. Only its own line is parsed: there may be millions. */
async function findObject(
  chunks: Chunks,
  part: Part,
  key: string,
): Promise<Extract<Entry, { kind: 'object' }> | undefined> {
  const path = `"path":${JSON.stringify(key)},`;
  for await (const { lines } of linesOf(chunks, part)) {
    const at = lines.indexOf(path);
    if (at < 0) continue;
    const line = lines.subarray(lines.lastIndexOf(NEWLINE, at) + 1, lines.indexOf(NEWLINE, at));
    const entry = Entry.parse(JSON.parse(line.toString('utf8')));
    if (entry.kind === 'object') return entry;
  }
  return undefined;
}
