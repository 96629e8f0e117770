import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { runsAsRoot } from '@nephos/db';
import { KEPT_DUMPS } from '../../domains/databases/engines/mysql/kept-dumps.ts';
import { keptVolume } from '../../domains/deployments/engine/folders.ts';
import type { Bytes } from '../../platform/object-store/object-store.ts';
import { bytesOfName, textOfName } from '../byte-names.ts';
import type { Entry, Manifest } from '../repository/manifest.ts';
import { createChunkReader, entriesOf } from '../repository/part-reader.ts';
import type { Repository } from '../repository/repository.ts';
import { placeOf } from '../restore-backup.ts';
import { wordsOf } from '../run-record.ts';
import { DATABASE_PART } from '../sources/database.ts';
import { APPS_PART } from '../sources/folders.ts';
import { MARIADB_PART } from '../sources/mariadb.ts';
import { OBJECTS_PART } from '../sources/objects.ts';
import { apartFromVolumes, type TakeVolume } from '../volume-archives.ts';
import { digestOf } from './compare-objects.ts';

export interface ComparedFiles {
  files: number;
  /** Archives of Docker volumes among them, and dumps of MySQL databases. */
  volumes: number;
  dumps: number;
  problems: string[];
}

/**
 * Reads every file that was restored to a folder, which nobody else can enter, and compares it with what the backup has:
 * digest, owner and mode.
 */
export async function compareFiles(
  folder: string,
  {
    repository,
    manifest,
    signal,
  }: {
    repository: Pick<Repository, 'chunks'>;
    manifest: Pick<Manifest, 'parts' | 'takenAt'>;
    signal: AbortSignal;
  },
): Promise<ComparedFiles> {
  const { chunks } = repository;
  const all: ComparedFiles = { files: 0, volumes: 0, dumps: 0, problems: [] };
  const compare = async (what: string, isSame: () => Promise<boolean>) => {
    signal.throwIfAborted();
    all.files += 1;
    const problem = await isSame().then(
      (same) => (same ? '' : 'is not what was backed up'),
      (error: unknown) => `cannot be read: ${wordsOf(error)}`,
    );
    if (problem !== '') all.problems.push(`${what} ${problem}.`);
  };
  for (const part of manifest.parts) {
    if (part.name === DATABASE_PART || part.name === OBJECTS_PART) continue;
    const reader = createChunkReader(chunks);
    const take: TakeVolume = async (kept, archive) => {
      all.volumes += 1;
      const wanted = await digestOf(archive);
      const file = keptVolume(join(folder, APPS_PART), kept.projectId, kept.volume);
      await compare(
        `The disk ${kept.volume}`,
        async () => wanted === (await digestOf(createReadStream(file))),
      );
    };
    const { takenAt } = manifest;
    const entries = apartFromVolumes(entriesOf(chunks, part), { reader, takenAt, take });
    for await (const entry of entries) {
      const { path } = entry;
      if (part.name === MARIADB_PART && path.startsWith(`${KEPT_DUMPS}/`) && path.endsWith('.sql'))
        all.dumps += 1;
      const placeAt = (of: string) => placeOf(folder, part.name, of);
      await compare(`${part.name}/${path}`, () => isRestored(placeAt, entry, (at) => reader.bytes(at)));
    }
  }
  return all;
}

async function isRestored(
  placeAt: (path: string) => string,
  entry: Entry,
  bytesAt: (at: Extract<Entry, { kind: 'file' }>['at']) => Bytes,
): Promise<boolean> {
  if (entry.kind === 'object' || entry.kind === 'table') return true;
  const place = bytesOfName(placeAt(entry.path));
  const found = await lstat(place);
  if (entry.kind === 'name') {
    const other = await lstat(bytesOfName(placeAt(entry.to)));
    return found.isFile() && found.dev === other.dev && found.ino === other.ino;
  }
  if (runsAsRoot() && (found.uid !== entry.uid || found.gid !== entry.gid)) return false;
  if (entry.kind === 'link') return textOfName(await readlink(place, { encoding: 'buffer' })) === entry.to;
  if ((found.mode & 0o7777) !== entry.mode) return false;
  if (entry.kind === 'folder') return found.isDirectory();
  // The bytes behind a symbolic link are not what was restored.
  if (!found.isFile()) return false;
  return (await digestOf(createReadStream(place))) === (await digestOf(bytesAt(entry.at)));
}
