import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeDataFolder } from './data-folder.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-data-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

it('is taken by one at a time', () => {
  const release = takeDataFolder(join(home, 'data'));
  expect(() => takeDataFolder(join(home, 'data'))).toThrow('is in use by another Nephos process');
  release();
  takeDataFolder(join(home, 'data'))();
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('skipped: whose data folder it is matters to root alone');

it.runIf(isRoot)('is no folder that other accounts can change or replace', () => {
  const folder = join(home, 'shared', 'data');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  expect(() => takeDataFolder(folder)).toThrow(
    `DATA_DIR ${folder} is writable by every user on this machine: run chmod o-w ${folder}`,
  );
  chmodSync(folder, 0o755);
  const shared = join(home, 'shared');
  const reason = `DATA_DIR ${folder} can be replaced by another user because ${shared} is writable by everyone: choose another folder`;
  chmodSync(shared, 0o777);
  expect(() => takeDataFolder(folder)).toThrow(reason);
  chmodSync(shared, 0o1777);
  takeDataFolder(folder)();
  chownSync(folder, 19_901, 19_901);
  expect(() => takeDataFolder(folder)).toThrow(reason);
});
