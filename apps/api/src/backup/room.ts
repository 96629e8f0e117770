import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingError } from '../core/settings.ts';
import { byteSize } from '../platform/byte-size.ts';
import { CHUNK_BYTES } from './repository/chunks.ts';
import type { Manifest } from './repository/manifest.ts';
import { entriesOf } from './repository/part-reader.ts';
import type { Repository } from './repository/repository.ts';

/**
 * Refuses where the disk of `place`, which need not be there yet, has less room than a backup takes and `beside`, bytes, with
 * it. `what` begins the sentence. Throws `SettingError`, or `Damaged` where a list of the backup is.
 */
export async function assertRoom(
  place: string,
  {
    repository,
    manifest,
    ...wanted
  }: { repository: Repository; manifest: Manifest; beside: number; what: string },
): Promise<void> {
  const { bavail, bsize } = await statfs(firstThere(place));
  const [free, needed] = [bavail * bsize, (await roomOf(repository, manifest)) + wanted.beside];
  if (free >= needed) return;
  throw new SettingError(
    `${wanted.what} needs ${byteSize(needed)} of room, and the disk of ${place} has ${byteSize(free)} left: make room, or take another disk.`,
  );
}

function firstThere(place: string): string {
  return existsSync(place) ? place : firstThere(dirname(place));
}

/** Bytes that a backup takes on a disk. Whole chunks that come again within a file are holes, as those of a disk's image. */
async function roomOf({ chunks }: Repository, { parts }: Manifest): Promise<number> {
  let bytes = 0;
  for (const part of parts) {
    for await (const entry of entriesOf(chunks, part)) {
      if (!('at' in entry)) continue;
      const whole = new Set<string>();
      for (const [name, , size] of entry.at) {
        if (!whole.has(name)) bytes += size;
        if (size === CHUNK_BYTES) whole.add(name);
      }
    }
  }
  return bytes;
}

/** Whether an error says that a disk is full, or that an account has used up what it may have of it. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const says = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i.test(error.message);
  return says || ('reason' in error && error.reason === 'STORAGE_FULL');
}
