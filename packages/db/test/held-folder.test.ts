import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdFolder, NotTaken, openPlainFile, readPlainFile } from '../src/held-folder.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-held-'));
  mkdirSync(join(home, 'theirs'));
  writeFileSync(join(home, 'theirs', 'file'), 'theirs');
  mkdirSync(join(home, 'ours'));
  writeFileSync(join(home, 'ours', 'file'), 'ours');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test.runIf(process.platform === 'linux')('stays in a folder whose name becomes a link', async () => {
  await using folder = await holdFolder(join(home, 'theirs'), undefined);
  renameSync(join(home, 'theirs'), join(home, 'elsewhere'));
  symlinkSync(join(home, 'ours'), join(home, 'theirs'));
  expect(readFileSync(folder.at('file'), 'utf8')).toBe('theirs');
  expect(await readPlainFile(folder.at('file'), undefined, 3)).toBe('the');
});

test('takes neither links nor what is of another kind, and waits for no pipe', async () => {
  symlinkSync('ours', join(home, 'folder'));
  symlinkSync('ours/file', join(home, 'link'));
  execFileSync('mkfifo', [join(home, 'pipe')]);
  await expect(holdFolder(join(home, 'folder'), undefined)).rejects.toThrow(NotTaken);
  await expect(holdFolder(join(home, 'ours', 'file'), undefined)).rejects.toThrow('is not a folder');
  await expect(openPlainFile(join(home, 'link'), undefined)).rejects.toThrow('is a link');
  await expect(openPlainFile(join(home, 'pipe'), undefined)).rejects.toThrow('is not a file');
  await expect(openPlainFile(join(home, 'ours'), undefined)).rejects.toThrow('is not a file');
  expect(await readPlainFile(join(home, 'none'), undefined, 10)).toBeUndefined();
});

test('takes only what belongs to the account', async () => {
  const uid = process.getuid?.() ?? 0;
  const own = { uid, gid: 0 };
  const other = { uid: uid + 1, gid: 0 };
  expect(await readPlainFile(join(home, 'ours', 'file'), own, 10)).toBe('ours');
  await expect(holdFolder(join(home, 'ours'), other)).rejects.toThrow('belongs to another account');
  await expect(openPlainFile(join(home, 'ours', 'file'), other)).rejects.toThrow(
    'belongs to another account',
  );
});
