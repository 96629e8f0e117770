import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCluster, openClusters, startCluster } from '../src/private-cluster.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nephos-clusters-'));
  chmodSync(root, 0o711);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('what a stop left is what we name so ourselves, not all that is hidden', () => {
  const half = ['.new-0123456789ab', '.gone-0123456789ab', '.template-0123456789ab'];
  const password = '.template-0123456789ab.new-ba9876543210.password';
  for (const name of [...half, '.new-orders', '.snapshot/data', 'db_1/data']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  writeFileSync(join(root, password), '');
  for (const name of ['.snapshot', 'db_1']) writeFileSync(join(root, name, 'data/PG_VERSION'), '18');
  const { names, leftovers } = openClusters(root);
  expect(names).toEqual(['db_1']);
  expect(leftovers.toSorted()).toEqual([...half, password].map((name) => join(root, name)).toSorted());
});

test('one is made while another is being removed, and does not start without the password it has', async () => {
  await makeCluster(root, 'db_2', ['db_1']);
  expect(openClusters(root)).toEqual({ names: ['db_2'], leftovers: [] });

  // The same one, since it takes seconds to make.
  const password = join(root, 'password');
  rmSync(password);
  await expect(startCluster(root, 'db_2')).rejects.toThrow(password);
  expect(existsSync(password)).toBe(false);
});
