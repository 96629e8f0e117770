import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeClusters, finishExchanges, placeOfCluster } from '../src/exchanged-clusters.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nephos-exchange-'));
  for (const name of ['db_a', 'db_b', 'db_c']) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'is'), name);
  }
});

afterEach(() => rmSync(root, { recursive: true }));

const there = () =>
  Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(join(root, name, 'is'), 'utf8')]));
const exchanged = { db_a: 'db_b', db_b: 'db_a', db_c: 'db_c' };

test('two clusters change their names, and can be told by their places', () => {
  const place = placeOfCluster(root, 'db_a');
  exchangeClusters(root, 'db_a', 'db_b');
  expect(there()).toEqual(exchanged);
  expect(placeOfCluster(root, 'db_b')).toBe(place);
  expect(placeOfCluster(root, 'db_a')).not.toBe(place);
});

test.each([1, 2])('what was killed after step %i is finished', (steps) => {
  renameSync(join(root, 'db_a'), join(root, '.swap-db_a-db_b'));
  if (steps > 1) renameSync(join(root, 'db_b'), join(root, 'db_a'));
  finishExchanges(root);
  expect(there()).toEqual(exchanged);
  finishExchanges(root);
  expect(there()).toEqual(exchanged);
});
