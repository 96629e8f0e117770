import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../src/backup/repository/chunks.ts';
import { entriesOf } from '../../src/backup/repository/part-reader.ts';
import { copyTree } from '../../src/backup/sources/tree.ts';
import { openParts } from './take-part.ts';
import { openFolder } from './whole-cloud.ts';

let home: string;

beforeAll(() => {
  home = openFolder();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const SIZE = 2 * 1024 ** 3 + 12_345;
/** At the beginning, across the border of two chunks, alone in one, and at the end. */
const WRITTEN = [0, 7 * CHUNK_BYTES - 3, 20 * CHUNK_BYTES + 1000, SIZE - 5];

it('takes and brings back what was written of a file, and where nothing was', async () => {
  const live = join(home, 'live');
  mkdirSync(live);
  const file = openSync(join(live, 'disk'), 'w');
  ftruncateSync(file, SIZE);
  for (const position of WRITTEN) writeSync(file, 'bytes', position);
  closeSync(file);
  const parts = await openParts(join(home, 'repository'));
  let read = 0;
  const told = (bytes: number) => {
    read += bytes;
  };
  const taken = await parts.take((copying) => copying.part('apps', (part) => copyTree(part, live)), { told });
  expect(read).toBe(SIZE);
  const entries = await Array.fromAsync(entriesOf(parts.chunks, taken.part));
  const entry = entries.find(({ kind }) => kind === 'file');
  expect(entry).toMatchObject({ size: SIZE });
  // Those that were written to, and one for all the rest.
  expect(new Set(entry && 'at' in entry ? entry.at.map(([name]) => name) : []).size).toBe(6);
  const restored = join(await parts.bringBack(taken, 'restored'), 'disk');
  const { size, blocks } = statSync(restored);
  expect(size).toBe(SIZE);
  expect(blocks * 512).toBeLessThan(8 * CHUNK_BYTES);
  const copy = openSync(restored, 'r');
  for (const position of WRITTEN) {
    const around = Buffer.alloc(7);
    readSync(copy, around, 0, 7, Math.max(position - 1, 0));
    expect(around.toString()).toMatch(position === 0 ? /^bytes\0\0$/ : /^\0bytes\0$/);
  }
  closeSync(copy);
});
