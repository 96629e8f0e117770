import { link, mkdir, open, opendir, readlink } from 'node:fs/promises';
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
export async function copySite(source: HeldFolder, copy: SiteCopy): Promise<void> {
  const content: SiteContent = { files: new Set(), folders: new Set(['.']), links: new Map() };
  const walk: Walk = { copy, content, entries: 0, bytes: 0, buffer: Buffer.allocUnsafe(PIECE) };
  await mkdir(copy.site, { mode: 0o700 });
  await copyFolder(walk, source, '');
  if (walk.entries === 0) throw new UnservableSite('it has no files');
  const targets = [...content.links.keys()].map((name) => [name, targetOf(name, content)] as const);
  for (const [name, target] of targets) await link(join(copy.site, target), join(copy.site, name));
}

interface Walk {
  copy: SiteCopy;
  content: SiteContent;
  entries: number;
  bytes: number;
  buffer: Buffer<ArrayBuffer>;
}

async function copyFolder(walk: Walk, folder: HeldFolder, path: string): Promise<void> {
  const { copy, content } = walk;
  for await (const entry of await opendir(folder.at('.'))) {
    const name = path + entry.name;
    count(walk, name);
    try {
      if (entry.isDirectory()) {
        await using inner = await holdFolder(folder.at(entry.name), copy.account);
        await mkdir(join(copy.site, name), { mode: 0o700 });
        content.folders.add(name);
        await copyFolder(walk, inner, `${name}/`);
      } else if (entry.isSymbolicLink()) content.links.set(name, await textOf(folder.at(entry.name)));
      else if (entry.isFile()) {
        await copyFile(walk, folder.at(entry.name), join(copy.site, name));
        content.files.add(name);
      } else throw new UnservableSite(`${name} is neither a file nor a folder`);
    } catch (error) {
      throw error instanceof NotTaken ? new UnservableSite(`${name} ${error.message}`) : error;
    }
  }
}

function count(walk: Walk, name: string): void {
  const { maxFiles } = walk.copy;
  walk.entries += 1;
  if (walk.entries > maxFiles) throw new UnservableSite(`it has more than ${maxFiles} files`);
  if (Buffer.byteLength(name) > MAX_PATH)
    throw new UnservableSite(`the path ${name.slice(0, 80)}… is too long`);
  // Node puts this character in the place of what is not UTF-8, and under that name nothing is there.
  if (name.includes('\uFFFD')) throw new UnservableSite(`the name ${name} is not valid UTF-8`);
}

async function textOf(path: string): Promise<string> {
  return readlink(path).catch(() => {
    throw new NotTaken('is not there any more');
  });
}

/** Counts what it reads: the file may grow meanwhile, and a sparse one is larger than the disk that it takes. */
async function copyFile(walk: Walk, from: string, to: string): Promise<void> {
  const { copy, buffer } = walk;
  await using source = await openPlainFile(from, copy.account);
  await using target = await open(to, 'wx', 0o600);
  for (;;) {
    copy.signal.throwIfAborted();
    const { bytesRead } = await source.read(buffer);
    if (bytesRead === 0) return;
    walk.bytes += bytesRead;
    if (walk.bytes > copy.maxBytes) throw new UnservableSite(`it has more than ${byteSize(copy.maxBytes)}`);
    await target.writeFile(buffer.subarray(0, bytesRead));
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
