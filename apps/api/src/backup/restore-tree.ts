import { chmod, chown, lchown, link, mkdir, open, symlink, utimes } from 'node:fs/promises';
import { dirname, isAbsolute, normalize } from 'node:path';
import { runsAsRoot } from '@nephos/db';
import { bytesOfName, shortPath } from './byte-names.ts';
import { createLanes } from './lanes.ts';
import { Damaged } from './repository/chunks.ts';
import type { Entry } from './repository/manifest.ts';
import type { createChunkReader } from './repository/part-reader.ts';

/** Bytes of a path with the NUL at its end, at most (Linux, limits.h). */
const PATH_MAX = 4096;
/** Files that are written at once. */
const AT_ONCE = 8;

type Reader = ReturnType<typeof createChunkReader>;

/**
 * Puts files, folders and links where `placeOf` says, below a folder that nobody else can enter. As root, each belongs
 * to whom it belonged to; what a folder allows is set last, when all is in it. `miss` is told of each whose path is longer
 * here than the system takes. Resolves to how many files there are.
 */
export async function restoreTree(
  entries: AsyncIterable<Entry>,
  reader: Reader,
  {
    placeOf: textAt,
    miss,
    signal,
  }: { placeOf: (path: string) => string; miss: (sentence: string) => void; signal: AbortSignal },
): Promise<number> {
  const folders: { place: Buffer; entry: Extract<Entry, { kind: 'folder' }> }[] = [];
  const names: { place: Buffer; parent: Buffer; to: Buffer }[] = [];
  const placeOf = (path: string) => bytesOfName(textAt(path));
  const parentOf = (path: string) => bytesOfName(dirname(textAt(path)));
  const writing = createLanes(AT_ONCE);
  let count = 0;
  for await (const entry of entries) {
    signal.throwIfAborted();
    assertInside(entry.path);
    const place = placeOf(entry.path);
    const longest = Math.max(place.length, entry.kind === 'name' ? placeOf(entry.to).length : 0);
    if (longest >= PATH_MAX) {
      miss(`${shortPath(entry.path)} lies too deep for this place.`);
      continue;
    }
    if (entry.kind === 'folder') {
      await mkdir(place, { recursive: true, mode: 0o700 });
      folders.push({ place, entry });
    } else if (entry.kind === 'link') {
      await mkdir(parentOf(entry.path), { recursive: true, mode: 0o700 });
      await symlink(bytesOfName(entry.to), place);
      if (runsAsRoot()) await lchown(place, entry.uid, entry.gid);
    } else if (entry.kind === 'name') {
      assertInside(entry.to);
      names.push({ place, parent: parentOf(entry.path), to: placeOf(entry.to) });
    } else if (entry.kind === 'file') {
      await mkdir(parentOf(entry.path), { recursive: true, mode: 0o700 });
      if (entry.at.length > 1) await restoreFile(place, entry, reader.bytes(entry.at));
      else {
        // Read one after the other, since they share chunks, but written beside each other.
        const bytes = await Array.fromAsync(reader.bytes(entry.at));
        await writing.add(() => restoreFile(place, entry, bytes));
      }
      count += 1;
    }
  }
  await writing.done();
  for (const { place, parent, to } of names) {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await link(to, place);
  }
  for (const { place, entry } of folders.toReversed()) {
    if (runsAsRoot()) await chown(place, entry.uid, entry.gid);
    await chmod(place, entry.mode);
  }
  return count;
}

function assertInside(path: string): void {
  if (isAbsolute(path) || normalize(`./${path}`).startsWith('..')) {
    throw new Damaged(`A path of the backup leads out of its folder: ${path}`);
  }
}

async function restoreFile(
  place: Buffer,
  { size, mode, uid, gid, mtime }: Extract<Entry, { kind: 'file' }>,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  await using file = await open(place, 'wx', 0o600);
  let position = 0;
  for await (const piece of bytes) {
    // What was a hole in a disk's image is one again.
    if (!isZero(piece)) await file.write(piece, 0, piece.length, position);
    position += piece.length;
  }
  if (position !== size) throw new Damaged('A file of the backup is not whole.');
  await file.truncate(size);
  if (runsAsRoot()) await file.chown(uid, gid);
  await file.chmod(mode);
  const modified = new Date(mtime);
  await utimes(place, modified, modified);
}

const LEAST_HOLE = 64 * 1024;

function isZero(bytes: Buffer): boolean {
  return bytes.length >= LEAST_HOLE && bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1));
}
