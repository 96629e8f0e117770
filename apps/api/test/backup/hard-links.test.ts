import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyTree } from '../../src/backup/sources/tree.ts';
import { openParts } from './take-part.ts';
import { openFolder } from './whole-cloud.ts';

let home: string;
let live: string;
let isMounted = false;

/** A file system that has hardly an inode to spare: what is made gets that of what was deleted. */
beforeAll(() => {
  home = openFolder();
  live = join(home, 'live');
  const image = join(home, 'image');
  writeFileSync(image, '');
  truncateSync(image, 1024 * 1024);
  mkdirSync(live);
  try {
    execFileSync('mkfs.ext4', ['-q', '-N', '16', image], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'loop', image, live], { stdio: 'pipe' });
    isMounted = true;
  } catch (error) {
    console.warn(`skipped: a file system of a test's own needs mkfs.ext4 and root: ${String(error)}`);
  }
});
afterAll(() => {
  if (isMounted) execFileSync('umount', [live]);
  rmSync(home, { recursive: true, force: true });
});

/** Takes the files and brings them back to a new folder; `told` is told of each that is read. */
async function bringBack(name: string, options: Parameters<typeof copyTree>[2], told = () => {}) {
  const parts = await openParts(join(home, name));
  const taken = await parts.take((copying) => copying.part('apps', (part) => copyTree(part, live, options)), {
    told,
  });
  return parts.bringBack(taken, 'restored');
}

it('takes a new file for no name of a deleted one whose inode it has', async ({ skip }) => {
  if (!isMounted) return skip();
  const of = (path: string) => join(live, path);
  mkdirSync(of('a'));
  mkdirSync(of('b'));
  writeFileSync(of('a/1'), 'the first');
  linkSync(of('a/1'), of('a/2'));
  writeFileSync(of('a/3'), 'a second');
  execFileSync('touch', ['-r', of('a/1'), of('a/3')]);
  const { ino } = statSync(of('a/1'));
  let read = 0;
  const folder = await bringBack('new', {}, () => {
    read += 1;
    if (read === 1) for (const path of ['a/1', 'a/2']) rmSync(of(path));
    // The inode is free once the deleted file is closed, so when the next is read.
    if (read !== 2) return;
    writeFileSync(of('b/1'), 'of others');
    linkSync(of('b/1'), of('b/2'));
    // An archive that is unpacked sets times too.
    execFileSync('touch', ['-r', of('a/3'), of('b/1')]);
  });
  expect(statSync(of('b/1')).ino).toBe(ino);
  expect(readFileSync(join(folder, 'a/1'), 'utf8')).toBe('the first');
  for (const path of ['b/1', 'b/2']) expect(readFileSync(join(folder, path), 'utf8')).toBe('of others');
  expect(statSync(join(folder, 'b/1')).nlink).toBe(2);
});

it('brings no name back across folders that are apart', async ({ skip }) => {
  if (!isMounted) return skip();
  linkSync(join(live, 'b/1'), join(live, 'a/4'));
  linkSync(join(live, 'b/1'), join(live, 'a/5'));
  const isApart = (path: string) => path === 'a' || path === 'b';
  const folder = await bringBack('apart', { isApart });
  for (const path of ['a/4', 'a/5', 'b/1', 'b/2']) {
    expect(statSync(join(folder, path)).nlink, path).toBe(2);
    expect(readFileSync(join(folder, path), 'utf8')).toBe('of others');
  }
});
