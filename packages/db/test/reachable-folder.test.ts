import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isReachable, reachableFolder, settledFolder } from '../src/reachable-folder.ts';

const isRoot = process.getuid?.() === 0;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-reachable-'));
  chmodSync(home, 0o711);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('takes the folder that was asked for where anybody can get to it, and leaves it to be made', () => {
  const wanted = join(home, 'data', 'apps');
  expect(reachableFolder(wanted, 'apps')).toBe(wanted);
  expect(existsSync(wanted)).toBe(false);
  expect(isReachable(dirname(wanted))).toBe(true);
});

test('is stopped by one closed parent, however far up', () => {
  const inner = join(home, 'a', 'b');
  mkdirSync(inner, { recursive: true });
  expect(isReachable(inner)).toBe(true);
  chmodSync(join(home, 'a'), 0o700);
  expect(isReachable(inner)).toBe(false);
});

describe.runIf(isRoot)('as root (needs root), below a closed folder', () => {
  let folder: string;

  beforeEach(() => {
    chmodSync(home, 0o700);
    folder = reachableFolder(join(home, 'apps'), 'apps');
  });

  afterEach(() => rmSync(dirname(folder), { recursive: true }));

  test('finds a place of its own, the same one each time', () => {
    expect(folder).toMatch(/^\/var\/lib\/nephos\/[0-9a-f]{12}\/apps$/);
    expect(isReachable(dirname(folder))).toBe(true);
    expect(statSync(dirname(folder)).mode & 0o777).toBe(0o711);
    expect(reachableFolder(join(home, 'apps'), 'apps')).toBe(folder);
    const other = reachableFolder(join(home, 'other'), 'apps');
    expect(other).not.toBe(folder);
    rmSync(dirname(other), { recursive: true });
  });

  test('keeps to a place that holds data when the way is opened later', () => {
    mkdirSync(folder);
    chmodSync(home, 0o711);
    expect(reachableFolder(join(home, 'apps'), 'apps')).toBe(folder);
  });

  test('stays with the data that is there, and says what is in the way of it', () => {
    const wanted = join(home, 'apps');
    const place = () => settledFolder(wanted, 'apps', existsSync);
    expect(place()).toBe(folder);
    mkdirSync(wanted);
    expect(place).toThrow(`${wanted}, but a folder above it is closed`);
    chmodSync(home, 0o711);
    expect(place()).toBe(wanted);
    mkdirSync(folder);
    expect(place).toThrow(`${wanted} and in ${folder}`);
    rmSync(wanted, { recursive: true });
    expect(place()).toBe(folder);
  });
});
