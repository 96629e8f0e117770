import { constants } from 'node:fs';
import { chmod, lchown, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Account } from '../process/account.ts';

/** A site's folder cannot be served; the message completes a sentence: '…: the link a leads out of the site'. */
export class UnservableSite extends Error {
  override readonly name = 'UnservableSite';
}

export interface SealOptions {
  /** Whom the files belong to so far. */
  account: Account | undefined;
  maxFiles: number;
}

/**
 * Takes a site's files away from the project's account and makes them read-only, since we serve them ourselves and may
 * read more than the project is allowed to. Links must lead to a file of the site. From the top down, so that nothing
 * can be swapped any more where we look. Throws `UnservableSite`.
 */
export async function sealSite(site: string, options: SealOptions): Promise<void> {
  const links: string[] = [];
  const files = await sealFolder(site, options, links, { count: 0 });
  if (files === 0) throw new UnservableSite('it has no files');
  for (const link of links) await checkLink(site, link);
}

async function sealFolder(
  folder: string,
  options: SealOptions,
  links: string[],
  total: { count: number },
): Promise<number> {
  if (options.account) await lchown(folder, 0, 0);
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await sealFolder(path, options, links, total);
    else if (entry.isSymbolicLink()) links.push(path);
    else if (entry.isFile()) await sealFile(path, options.account);
    else throw new UnservableSite(`${entry.name} is neither a file nor a folder`);
    total.count += 1;
    if (total.count > options.maxFiles)
      throw new UnservableSite(`it has more than ${options.maxFiles} files`);
  }
  return total.count;
}

async function sealFile(path: string, account: Account | undefined): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { uid } = await file.stat();
    // A second name of a file that belongs to somebody else, where the system lets one make that.
    if (account && uid !== account.uid && uid !== 0)
      throw new UnservableSite('it has a file of another account');
    if (account && uid === account.uid) await file.chown(0, 0);
    if (!account || uid === account.uid) await file.chmod(0o644);
  } finally {
    await file.close();
  }
}

async function checkLink(site: string, link: string): Promise<void> {
  const name = relative(site, link);
  const target = await realpath(link).catch(() => undefined);
  if (!target) throw new UnservableSite(`the link ${name} leads nowhere`);
  if (!target.startsWith((await realpath(site)) + sep)) {
    throw new UnservableSite(`the link ${name} leads out of the site`);
  }
  if (!(await stat(target)).isFile()) throw new UnservableSite(`the link ${name} does not lead to a file`);
}

/** Names of the HTML files of a site's root. */
export async function rootPages(site: string): Promise<string[]> {
  return (await readdir(site)).filter((name) => name.endsWith('.html'));
}

/** Whether a folder (no link) with an index.html (no link) lies there. */
export async function hasIndex(folder: string): Promise<boolean> {
  const isFolder = (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
  return isFolder && ((await lstat(join(folder, 'index.html')).catch(() => undefined))?.isFile() ?? false);
}
