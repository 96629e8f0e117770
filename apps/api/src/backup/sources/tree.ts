import type { Stats } from 'node:fs';
import { type FileHandle, lstat, readdir, readlink, stat } from 'node:fs/promises';
import { type HeldFolder, holdFolder, NotTaken, openPlainFile } from '@nephos/db';
import { byteSize } from '../../platform/byte-size.ts';
import { systemCalls } from '../../platform/system-calls.ts';
import { bytesOfName, shortPath, textOfName } from '../byte-names.ts';
import { CHUNK_BYTES, ZEROS } from '../repository/chunks.ts';
import type { PartCopy } from './copying.ts';

const PIECE = 1024 * 1024;
const MODE = 0o7777;
/** Bytes of what `blocks` counts (stat(2)). */
const BLOCK = 512;
/** Bytes of a path, at most: the system takes 4,096, some of which are those of the folder that it is restored to. */
const MOST_PATH = 3072;
/** Bytes of a file, whose places are read into memory at once; an app can make files of any size that take no room. */
const MOST_FILE = 2 * 1024 ** 4;

/**
 * Takes a folder with all that is in it, through descriptors, since accounts of apps and servers may change it meanwhile:
 * a file that goes while it is looked for is left out, and one that changes is taken as it is read. Sockets, pipes and
 * devices are left out. `at` is where it comes in its part. Names are bytes, which need not be UTF-8.
 */
export async function copyTree(
  part: PartCopy,
  folder: string,
  {
    at = '',
    skips = () => false,
    isApart = () => false,
    textsOnly = false,
  }: { at?: string } & Partial<Rules> = {},
): Promise<void> {
  await using held = await holdFolder(folder, undefined);
  await part.note(folderEntry(at, await stat(held.at('.'))));
  await copyFolder(part, held, { at, skips, isApart, textsOnly, linked: new Map() });
}

/** Both are asked of paths below the folder, with slashes. */
interface Rules {
  skips(path: string): boolean;
  /** Whether a folder shares no file with what is around it, whatever its inodes say. */
  isApart(path: string): boolean;
  /** Whether it is for a place that keeps no names but those of UTF-8. */
  textsOnly: boolean;
}

/** What `copyTree` keeps in mind. */
interface Walk extends Rules {
  /** Files that were taken and have names that are yet to come, by what `identityOf` answers. */
  linked: Map<string, { path: string; left: number }>;
}

const below = (at: string, name: string) => (at === '' ? name : `${at}/${name}`);
const ownerOf = ({ uid, gid }: Stats) => ({ uid, gid });

/** `found` is of what the descriptor leads to: the link to it in `/proc` has a mode and an owner of its own. */
function folderEntry(path: string, found: Stats) {
  return { kind: 'folder' as const, path, mode: found.mode & MODE, ...ownerOf(found) };
}

async function copyFolder(
  part: PartCopy,
  folder: HeldFolder,
  { at, ...walk }: Walk & { at: string },
): Promise<void> {
  const names = (await readdir(folder.at('.'), { encoding: 'buffer' })).map(textOfName).sort(listsFirst);
  for (const name of names) {
    const path = below(at, name);
    if (walk.skips(path)) continue;
    const obstacle = whyNot(path, walk);
    if (obstacle) {
      part.miss(`${part.name}/${shortPath(path)} ${obstacle}`);
      continue;
    }
    try {
      await copyEntry(part, folder, { name, path, ...walk });
    } catch (error) {
      if (error instanceof NotTaken && error.isHidden) part.miss(`${part.name}/${path} cannot be read.`);
      // What the folder no longer has, or has as something else by now.
      else if (!(error instanceof NotTaken) && !isGone(error)) throw error;
    }
  }
}

const NOT_TEXT = 'a name that is not UTF-8, which Docker keeps for no volume.';

/** Why it could not be restored, so that it is not taken. */
function whyNot(path: string, { textsOnly }: Rules): string | undefined {
  if (Buffer.byteLength(path) > MOST_PATH) return 'lies too deep to be restored.';
  return textsOnly && !path.isWellFormed() ? `has ${NOT_TEXT}` : undefined;
}

/** Where an entry of a folder is. */
function placeIn(folder: HeldFolder, name: string): string | Buffer {
  return name.isWellFormed()
    ? folder.at(name)
    : Buffer.concat([Buffer.from(folder.at('x')).subarray(0, -1), bytesOfName(name)]);
}

/** Redis's list of its files; git's branches, and the list that they are moved to. */
const LISTS = [/\.manifest$/, /^refs$/, /^packed-refs$/];

/** What names other files is taken before them: what it names then was there at that time. */
function listsFirst(one: string, other: string): number {
  const rankOf = (name: string) =>
    (LISTS.findIndex((list) => list.test(name)) + LISTS.length + 1) % (LISTS.length + 1);
  return rankOf(one) - rankOf(other) || (one < other ? -1 : 1);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function copyEntry(
  part: PartCopy,
  folder: HeldFolder,
  { name, path, ...walk }: Walk & { name: string; path: string },
): Promise<void> {
  const place = placeIn(folder, name);
  const found = await lstat(place);
  if (found.isSymbolicLink()) {
    const to = textOfName(await readlink(place, { encoding: 'buffer' }));
    if (walk.textsOnly && !to.isWellFormed())
      part.miss(`${part.name}/${shortPath(path)} points to ${NOT_TEXT}`);
    else await part.note({ kind: 'link', path, ...ownerOf(found), to });
  } else if (found.isDirectory()) {
    await using inner = await holdFolder(place, undefined);
    await part.note(folderEntry(path, await stat(inner.at('.'))));
    const linked = walk.isApart(path) ? new Map() : walk.linked;
    await copyFolder(part, inner, { ...walk, at: path, linked });
  } else if (found.size > MOST_FILE) {
    part.miss(
      `${part.name}/${shortPath(path)} is larger than ${byteSize(MOST_FILE)}, which no backup takes.`,
    );
  } else if (found.isFile()) {
    await copyFile(part, place, path, walk.linked);
  }
}

/** Takes one file, as `copyTree` does; answers whether there was one. */
export async function copyOneFile(part: PartCopy, file: string, path: string): Promise<boolean> {
  try {
    await copyFile(part, file, path);
    return true;
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    return false;
  }
}

async function copyFile(
  part: PartCopy,
  file: string | Buffer,
  path: string,
  linked: Walk['linked'] = new Map(),
): Promise<void> {
  await using handle = await openPlainFile(file, undefined);
  const found = await handle.stat();
  const { size, mtimeMs: mtime, ctimeMs: ctime, ino: inode } = found;
  const id = found.nlink > 1 ? await identityOf(handle) : undefined;
  const other = id && linked.get(id);
  if (other) {
    other.left -= 1;
    if (other.left === 0) linked.delete(id);
    return part.note({ kind: 'name', path, to: other.path });
  }
  const entry = {
    kind: 'file' as const,
    path,
    mode: found.mode & MODE,
    ...ownerOf(found),
    mtime,
    ctime,
    inode,
  };
  const before = await part.earlier(path);
  const isSame =
    before?.kind === 'file' &&
    before.size === size &&
    before.mtime === mtime &&
    before.ctime === ctime &&
    before.inode === inode;
  if (isSame) await part.note({ ...entry, size, at: before.at });
  else await part.add({ ...entry, size, at: [] }, piecesOf(handle, found));
  if (id) linked.set(id, { path, left: found.nlink - 1 });
}

/**
 * Tells a file, as it is now, from every other: the inode of a deleted one is soon that of a new one, which may be somebody
 * else's. Numbers of inodes may be larger than a `number` holds, and not every file system knows when a file was made.
 */
async function identityOf(handle: FileHandle): Promise<string> {
  const { dev, ino, uid, size, mtimeNs, ctimeNs, birthtimeNs } = await handle.stat({ bigint: true });
  return [dev, ino, uid, size, mtimeNs, birthtimeNs || ctimeNs].join(' ');
}

/** A read that does not fill its buffer has come to the end of the file, which is `size` bytes long or has changed. */
async function* piecesOf(handle: FileHandle, { size, blocks }: Stats): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, PIECE));
  // An app can make any number of files of terabytes that take no room.
  const calls = blocks * BLOCK < size - CHUNK_BYTES ? await systemCalls() : undefined;
  for (let position = 0; ; ) {
    const data = calls && position % CHUNK_BYTES === 0 ? calls.nextData(handle.fd, position) : position;
    for (; position + CHUNK_BYTES <= Math.min(data, size); position += CHUNK_BYTES) yield ZEROS;
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    if (bytesRead < buffer.length) return;
    position += bytesRead;
  }
}
