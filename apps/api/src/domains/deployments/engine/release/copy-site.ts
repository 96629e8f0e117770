import { type FileHandle, link, mkdir, open, opendir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Account, type HeldFolder, holdFolder, NotTaken, openPlainFile } from '@nephos/db';
import { byteSize } from '../../../../platform/byte-size.ts';

export interface SiteCopy {
  /** Where the copy goes: a folder that is not there yet, among folders of ours. */
  site: string;
  /** Only files of this account are copied; undefined: anybody's. */
  account: Account | undefined;
  maxFiles: number;
  maxBytes: number;
  signal: AbortSignal;
}

/** How much a site may be, and where it goes. */
export type SiteBounds = Omit<SiteCopy, 'account'>;

/** Copies bytes so many at once. */
const PIECE = 256 * 1024;
/** Bytes of a path within a site. This bounds how deep folders lie, each of which we hold open. */
const MAX_PATH = 1024;

/**
 * Copies a site to where only we can change it, since we serve it ourselves and may read more than the project is
 * allowed to: from descriptors, so that nothing can be swapped where we look, and as files of our own, so that what
 * still has the old ones open cannot change what is served. A link becomes a second name of the file of the site that
 * it leads to. Throws `UnservableSite`, or the signal's reason.
 */
export async function copySite(source: HeldFolder, { account, ...bounds }: SiteCopy): Promise<void> {
  const copy = await startSite(bounds);
  await copyFolder({ copy, account, buffer: Buffer.allocUnsafe(PIECE) }, source, '');
  await copy.finish();
}

/** Makes a site from entries as they come, each folder before what is in it. All throw `UnservableSite`. */
export interface NewSite {
  addFolder(name: string): Promise<void>;
  addFile(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** A link with its text. */
  addLink(name: string, text: string): void;
  /** A second name of a file that was added. */
  addName(name: string, file: string): Promise<void>;
  /** Once everything was added: makes the links. */
  finish(): Promise<void>;
}

/** Begins with an empty folder, among folders of ours. */
export async function startSite({ site, maxFiles, maxBytes, signal }: SiteBounds): Promise<NewSite> {
  const content: SiteContent = { files: new Set(), folders: new Set(['.']), links: new Map() };
  let entries = 0;
  let bytes = 0;
  await mkdir(site, { mode: 0o700 });
  const count = (name: string) => {
    signal.throwIfAborted();
    entries += 1;
    if (entries > maxFiles) throw new UnservableSite(`it has more than ${maxFiles} files`);
    assertPath(name);
    if (!content.folders.has(posix.dirname(name))) throw new UnservableSite(`${name} is in no folder of it`);
  };
  return {
    async addFolder(name) {
      count(name);
      await mkdir(join(site, name), { mode: 0o700 });
      content.folders.add(name);
    },
    async addFile(name, pieces) {
      count(name);
      await using target = await open(join(site, name), 'wx', 0o600);
      for await (const piece of pieces) {
        signal.throwIfAborted();
        bytes += piece.length;
        if (bytes > maxBytes) throw new UnservableSite(`it has more than ${byteSize(maxBytes)}`);
        await target.writeFile(piece);
      }
      content.files.add(name);
    },
    addLink(name, text) {
      count(name);
      content.links.set(name, text);
    },
    async addName(name, file) {
      count(name);
      if (!content.files.has(file)) throw new UnservableSite(`${name} is no file of it`);
      await link(join(site, file), join(site, name));
      content.files.add(name);
    },
    async finish() {
      if (entries === 0) throw new UnservableSite('it has no files');
      const targets = [...content.links.keys()].map((name) => [name, targetOf(name, content)] as const);
      for (const [name, target] of targets) await link(join(site, target), join(site, name));
    },
  };
}

/** A path below the site that leads nowhere else, and that people can ask for. */
function assertPath(name: string): void {
  if (Buffer.byteLength(name) > MAX_PATH)
    throw new UnservableSite(`the path ${name.slice(0, 80)}… is too long`);
  // Node puts this character in the place of what is not UTF-8, and under that name nothing is there.
  if (name.includes('\uFFFD')) throw new UnservableSite(`the name ${name} is not valid UTF-8`);
  if (name.split('/').some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
    throw new UnservableSite(`${name} is no path in it`);
}

interface Walk {
  copy: NewSite;
  account: Account | undefined;
  buffer: Buffer<ArrayBuffer>;
}

async function copyFolder(walk: Walk, folder: HeldFolder, path: string): Promise<void> {
  const { copy, account } = walk;
  for await (const entry of await opendir(folder.at('.'))) {
    const name = path + entry.name;
    try {
      if (entry.isDirectory()) {
        await using inner = await holdFolder(folder.at(entry.name), account);
        await copy.addFolder(name);
        await copyFolder(walk, inner, `${name}/`);
      } else if (entry.isSymbolicLink()) copy.addLink(name, await textOf(folder.at(entry.name)));
      else if (entry.isFile()) await copyFile(walk, folder.at(entry.name), name);
      else throw new UnservableSite(`${name} is neither a file nor a folder`);
    } catch (error) {
      throw error instanceof NotTaken ? new UnservableSite(`${name} ${error.message}`) : error;
    }
  }
}

async function textOf(path: string): Promise<string> {
  return readlink(path).catch(() => {
    throw new NotTaken('is not there any more');
  });
}

/** By what it reads: the file may grow meanwhile, and a sparse one is larger than the disk that it takes. */
async function copyFile({ copy, account, buffer }: Walk, from: string, name: string): Promise<void> {
  await using source = await openPlainFile(from, account);
  await copy.addFile(name, piecesOf(source, buffer));
}

async function* piecesOf(source: FileHandle, buffer: Buffer<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead } = await source.read(buffer);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A site's folder cannot be served; the message completes a sentence: '…: the link a leads out of the site'. */
export class UnservableSite extends Error {
  override readonly name = 'UnservableSite';
}

/** What a site's folder holds, by path from there. */
interface SiteContent {
  files: Set<string>;
  folders: Set<string>;
  /** With the text of each link. */
  links: Map<string, string>;
}

/**
 * The file of the site that a link leads to, told from the texts of links alone: what lies outside, and what could
 * change later, does not count. A path through a linked folder leads nowhere. Throws `UnservableSite`.
 */
function targetOf(link: string, { files, folders, links }: SiteContent): string {
  const passed = new Set<string>();
  for (let at = link; ; ) {
    const text = links.get(at);
    if (files.has(at)) return at;
    if (folders.has(at)) throw new UnservableSite(`the link ${link} does not lead to a file`);
    if (text === undefined || passed.has(at)) throw new UnservableSite(`the link ${link} leads nowhere`);
    passed.add(at);
    at = posix.join(posix.dirname(at), text);
    if (text.startsWith('/') || at === '..' || at.startsWith('../')) {
      throw new UnservableSite(`the link ${link} leads out of the site`);
    }
  }
}
