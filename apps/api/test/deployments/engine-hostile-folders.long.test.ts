import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  lchown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeSnapshot } from '../../src/domains/deployments/engine/detect/snapshot.ts';
import { makePassage, makePrivate } from '../../src/domains/deployments/engine/folders.ts';
import { LIMITS } from '../../src/domains/deployments/engine/limits.ts';
import { sealSite } from '../../src/domains/deployments/engine/release/seal-site.ts';
import type { BuildOptions } from '../../src/domains/deployments/engine/runtime.ts';
import { copyTemplate } from '../../src/domains/deployments/engine/source/copy-source.ts';
import { ACCOUNT, createHostileProject, type HostileProject, writeOwn } from './hostile-project.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('skipped: hostile folders need root, who alone has something to lose');

/** Names enough for a swap to come in between, where all are looked at before the first one is taken. */
const FOLDERS = ['dist', ...Array.from({ length: 2000 }, (_, at) => `none-${at}`)];
/** Rounds are many, and share the machine with the attacker. */
const ATTACK = { timeout: 60_000 };
const PAGE = { 'dist/index.html': '<h1>Mine</h1>' };

describe.runIf(isRoot)('what the project does to its folders while root works with them', () => {
  let project: HostileProject;
  let before: unknown;

  beforeAll(async () => {
    project = await createHostileProject();
  });

  beforeEach(async () => {
    before = await project.stateOfKeys();
  });

  afterEach(() => project.end());
  afterAll(() => project.close());

  const take = (options: BuildOptions, limits: Partial<typeof LIMITS> = {}) =>
    sealSite({ limits: { ...LIMITS, ...limits } }, options, {
      folders: FOLDERS,
      mayBeSinglePage: true,
      advice: '',
    });

  /** The sentence with which the site is refused; fails where it is taken. */
  const refusal = (options: BuildOptions, limits?: Partial<typeof LIMITS>) =>
    take(options, limits).then(
      () => expect.unreachable('the site was taken'),
      (error: Error) => error.message,
    );

  const served = (options: BuildOptions, name: string) => readFile(join(options.folders.site, name), 'utf8');

  it('gives a template nothing of root, whatever becomes of its folders', ATTACK, async () => {
    const { folders, ...rest } = await project.newRelease();
    await project.run(SWAP_AFTER, join(folders.app, 'public'), project.keys);
    for (let round = 0; round < 10; round++) {
      await copyTemplate({ folders, ...rest }, 'full-stack').catch(() => {});
      expect(await project.stateOfKeys(), `round ${round}`).toEqual(before);
      await rename(folders.app, `${folders.app}.${round}`);
      await makePrivate(folders.app, ACCOUNT);
    }
  });

  it.each(['dist', 'dist/assets'])(
    'publishes nothing of root while %s is swapped for a link',
    ATTACK,
    async (name) => {
      const options = await project.newRelease({ ...PAGE, 'dist/assets/app.js': 'mine' });
      const { app } = options.folders;
      await project.run(SWAP_BACK_AND_FORTH, join(app, name), project.keys, join(app, 'dist'));
      for (let round = 0; round < 30; round++) {
        const taken = await take(options).catch((error: Error) => error.message);
        expect(await project.stateOfKeys(), `round ${round}`).toEqual(before);
        if (typeof taken !== 'string') await assertOwn(options.folders.site);
        await rm(options.folders.site, { recursive: true, force: true });
      }
    },
  );

  it('puts the files of a site where only root can come', async () => {
    const options = await project.newRelease({ ...PAGE, 'dist/assets/app.js': 'mine' });
    expect(await take(options)).toEqual({ kind: 'static', singlePage: true });
    for (const [name, mode] of [
      ['.', 0o40_700] as const,
      ['assets', 0o40_700] as const,
      ['assets/app.js', 0o100_600] as const,
    ]) {
      expect(await lstat(join(options.folders.site, name)), name).toMatchObject({ mode, uid: 0, gid: 0 });
    }
  });

  it('serves what a site had when it was taken, whoever still has it open', async () => {
    const options = await project.newRelease(PAGE);
    const writer = await project.run(WRITE_LATER, join(options.folders.app, 'dist/index.html'));
    await take(options);
    writer.stdin?.end();
    await once(writer, 'exit');
    expect(await served(options, 'index.html')).toBe('<h1>Mine</h1>');
  });

  it('takes what it finds where projects have no account of their own', async () => {
    const options = await project.newRelease(PAGE);
    await writeFile(join(options.folders.app, 'dist/other.txt'), 'whose it is');
    await take({ ...options, account: undefined });
    expect(await served(options, 'other.txt')).toBe('whose it is');
  });

  it('takes links to files of the site, each for the file itself', async () => {
    const options = await project.newRelease({ ...PAGE, 'dist/docs/a.txt': 'mine' });
    const { app, site } = options.folders;
    await symlink('docs/a.txt', join(app, 'dist/short'));
    await symlink('../short', join(app, 'dist/docs/again'));
    await take(options);
    expect(await served(options, 'docs/again')).toBe('mine');
    expect((await lstat(join(site, 'docs/again'))).isFile()).toBe(true);
  });

  it.each([
    ['out', () => '../../secret', 'leads out of the site'],
    ['up', () => '..', 'leads out of the site'],
    ['to an absolute path', (app: string) => join(app, 'dist/index.html'), 'leads out of the site'],
    ['nowhere', () => 'nothing', 'leads nowhere'],
    ['to itself', () => 'link', 'leads nowhere'],
    ['to a folder', () => 'docs', 'does not lead to a file'],
    ['to the site', () => '.', 'does not lead to a file'],
    // Where it leads today could be another file tomorrow.
    ['out and back', () => '../back', 'leads out of the site'],
  ])('refuses a link that leads %s', async (_, textIn, reason) => {
    const options = await project.newRelease({ ...PAGE, 'dist/docs/a.txt': 'mine' });
    const { app, site } = options.folders;
    await symlink(join(site, 'index.html'), join(app, 'back'));
    await symlink(textIn(app), join(app, 'dist/link'));
    expect(await refusal(options)).toBe(
      `Build failed: the site cannot be served because the link link ${reason}.`,
    );
  });

  it.each<[string, (dist: string) => Promise<unknown>, string]>([
    [
      'a folder of root behind a link',
      (dist) => symlink(project.keys, join(dist, 'x')),
      'the link x leads out of the site',
    ],
    ['a file of root', (dist) => writeFile(join(dist, 'x'), 'root'), 'x belongs to another account'],
    ['a folder of root', (dist) => mkdir(join(dist, 'x')), 'x belongs to another account'],
    [
      "a second name of root's file",
      (dist) => link(join(project.keys, 'app.js'), join(dist, 'x')),
      'x belongs to another account',
    ],
    [
      "a file of another project's",
      (dist) => writeFile(join(dist, 'x'), '').then(() => lchown(join(dist, 'x'), ACCOUNT.uid + 1, 0)),
      'x belongs to another account',
    ],
    ['a pipe', (dist) => run('mkfifo', [join(dist, 'x')]), 'x is neither a file nor a folder'],
    [
      'a path without end',
      (dist) =>
        mkdir(join(dist, 'x/'.repeat(520)), { recursive: true }).then(() =>
          run('chown', ['-R', String(ACCOUNT.uid), dist]),
        ),
      'the path x/',
    ],
    [
      'more than it may hold',
      (dist) => truncate(join(dist, 'index.html'), 3 * 1024 ** 2),
      'it has more than 2 MB',
    ],
    [
      'more files than it may',
      async (dist) => {
        for (const name of ['x', 'y', 'z']) await writeOwn(dist, name, '');
      },
      'it has more than 3 files',
    ],
  ])('refuses a site with %s', async (_, spoil, reason) => {
    const options = await project.newRelease(PAGE);
    await spoil(join(options.folders.app, 'dist'));
    const limits = { buildBytes: 2 * 1024 ** 2, siteFiles: reason.includes('path') ? 2000 : 3 };
    expect(await refusal(options, limits)).toContain(
      `Build failed: the site cannot be served because ${reason}`,
    );
    expect(await project.stateOfKeys()).toEqual(before);
  });

  it('refuses a site with a device', async ({ skip }) => {
    const options = await project.newRelease(PAGE);
    const made = run('mknod', [join(options.folders.app, 'dist/x'), 'c', '1', '3']);
    await made.catch(() => skip('needs the right to make a device'));
    expect(await refusal(options)).toBe(
      'Build failed: the site cannot be served because x is neither a file nor a folder.',
    );
  });

  it.each(['dist', 'public'])('sees no site in %s where that is a link to a folder of root', async (name) => {
    const options = await project.newRelease({ 'package.json': '{}' });
    await symlink(project.keys, join(options.folders.app, name));
    expect(await refusal(options)).toContain('Build failed: no index.html found');
    expect(await takeSnapshot(options.folders.app, '', ACCOUNT)).toMatchObject({ publicIndex: false });
  });

  it('sees no site behind a link on the way to it', async () => {
    const options = await project.newRelease({ 'moved/site/index.html': '<h1>Mine</h1>' });
    await symlink('moved', join(options.folders.app, 'docs'));
    const takeFrom = (path: string) =>
      sealSite({ limits: LIMITS }, options, { folders: [path], mayBeSinglePage: true, advice: '' });
    await expect(takeFrom('docs/site')).rejects.toThrow('no index.html found in docs/site.');
    await takeFrom('moved/site');
    expect(await served(options, 'index.html')).toBe(PAGE['dist/index.html']);
  });

  it.each([makePrivate, makePassage])('gives nothing away that a link leads to (%o)', async (make) => {
    const { folders } = await project.newRelease();
    const link = join(folders.app, 'cache');
    await symlink(project.keys, link);
    await expect(make(link, ACCOUNT)).rejects.toThrow(/ENOTDIR|ELOOP/);
    expect(await project.stateOfKeys()).toEqual(before);
  });

  it('gives away no folder of root while its own is swapped for a link', ATTACK, async () => {
    const { folders } = await project.newRelease({ 'dist/index.html': 'mine' });
    const target = join(folders.app, 'dist');
    await project.run(SWAP_BACK_AND_FORTH, target, project.keys, target);
    for (let round = 0; round < 300; round++) {
      await makePrivate(target, ACCOUNT).catch(() => {});
      expect(await project.stateOfKeys(), `round ${round}`).toEqual(before);
    }
  });

  it("does not read root's file by a second name in the repository", async () => {
    const { folders } = await project.newRelease();
    await link(join(project.keys, 'app.js'), join(folders.app, 'package.json'));
    expect((await takeSnapshot(folders.app, '', ACCOUNT))?.texts).toEqual({});
    const mine = await takeSnapshot(folders.app, '', undefined);
    expect(mine?.texts).toEqual({ 'package.json': 'only root may read this' });
  });
});

const WRITE_LATER = `
const { openSync, writeSync } = require('node:fs');
const file = openSync(process.argv[1], 'r+');
console.log('ready');
process.stdin.resume().on('end', () => writeSync(file, 'changed after it was checked', 0));`;

/** Waits for a folder to appear, and puts a link in its place. */
const SWAP_AFTER = `
const { renameSync, rmSync, symlinkSync } = require('node:fs');
const [folder, target] = process.argv.slice(1);
console.log('ready');
for (let at = 0; ; at++) {
  try {
    renameSync(folder, folder + '.' + at);
    symlinkSync(target, folder);
  } catch {}
}`;

/** Puts a link in a folder's place and the folder back, without end; makes it anew where it was taken away. */
const SWAP_BACK_AND_FORTH = `
const { mkdirSync, renameSync, symlinkSync, writeFileSync } = require('node:fs');
const [folder, target, site] = process.argv.slice(1);
const own = site + '.own';
const link = site + '.link';
const attempt = (work) => { try { work(); } catch {} };
const hold = () => { for (const end = performance.now() + Math.random(); performance.now() < end; ); };
symlinkSync(target, link);
console.log('ready');
for (;;) {
  attempt(() => renameSync(folder, own));
  attempt(() => renameSync(link, folder));
  hold();
  attempt(() => renameSync(folder, link));
  attempt(() => renameSync(own, folder));
  attempt(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(site + '/index.html', '<h1>Mine</h1>');
    writeFileSync(folder + '/app.js', 'mine');
  });
  hold();
  attempt(() => symlinkSync(target, link));
}`;

async function assertOwn(site: string): Promise<void> {
  expect((await lstat(site)).isDirectory()).toBe(true);
  for (const entry of await readdir(site, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain('root');
  }
}
