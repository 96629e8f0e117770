import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesOfName, textOfName } from '../../src/backup/byte-names.ts';
import { compareFiles } from '../../src/backup/proof/compare-files.ts';
import { entriesOf } from '../../src/backup/repository/part-reader.ts';
import { copyTree } from '../../src/backup/sources/tree.ts';
import { openParts } from './take-part.ts';
import { openFolder } from './whole-cloud.ts';

let home: string;
let live: string;

beforeAll(() => {
  home = openFolder();
  live = join(home, 'live');
  mkdirSync(live);
});
afterAll(() => {
  // Node's own `rm` goes by path, which is too long here.
  execFileSync('rm', ['-rf', '--', home]);
});

/** Latin-1, as archives of old have it. */
const latin = (text: string) => Buffer.from(text, 'latin1');
const at = (...names: Buffer[]) =>
  Buffer.concat(
    [live, ...names].flatMap((name, nth) => (nth ? ['/', name] : [name])).map((part) => Buffer.from(part)),
  );

it('names of any bytes are texts and the same bytes again', () => {
  for (const bytes of [
    latin('café'),
    Buffer.from('café – 漢 🦊'),
    Buffer.from([0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x61, 0xff]),
  ]) {
    const text = textOfName(bytes);
    expect(bytesOfName(JSON.parse(JSON.stringify(text)))).toEqual(bytes);
  }
  expect(textOfName(Buffer.from('café'))).toBe('café');
  expect(bytesOfName(`a${textOfName(latin('é'))}b`)).toEqual(latin('aéb'));
});

it('brings back files, folders and links whose names are not UTF-8, and compares them', async () => {
  mkdirSync(at(latin('dé')));
  writeFileSync(at(latin('dé'), latin('ü.txt')), 'inside');
  writeFileSync(at(Buffer.from('ü.txt')), 'UTF-8');
  symlinkSync(latin('nach-é'), at(Buffer.from('link')));
  const parts = await openParts(join(home, 'repository'));
  const take = (textsOnly: boolean) =>
    parts.take((copying) => copying.part('apps', (part) => copyTree(part, live, { textsOnly })));
  const taken = await take(false);
  expect(taken.missing).toEqual([]);
  const folder = Buffer.from(await parts.bringBack(taken, 'restored/apps'));
  const inside = Buffer.concat([folder, Buffer.from('/'), latin('dé')]);
  expect(readdirSync(inside, { encoding: 'buffer' })).toEqual([latin('ü.txt')]);
  expect(readFileSync(Buffer.concat([inside, Buffer.from('/'), latin('ü.txt')]), 'utf8')).toBe('inside');
  expect(readFileSync(join(String(folder), 'ü.txt'), 'utf8')).toBe('UTF-8');
  expect(readlinkSync(join(String(folder), 'link'), { encoding: 'buffer' })).toEqual(latin('nach-é'));
  const comparing = {
    ...{ repository: { chunks: parts.chunks }, signal: new AbortController().signal },
    manifest: { parts: [taken.part], takenAt: new Date().toISOString() },
  };
  const compare = () => compareFiles(join(home, 'repository-restored'), comparing);
  expect(await compare()).toMatchObject({ problems: [] });
  rmSync(Buffer.concat([inside, Buffer.from('/'), latin('ü.txt')]));
  expect((await compare()).problems).toHaveLength(1);
  // What Docker keeps no name of is not taken, which is said.
  expect((await take(true)).missing).toEqual([
    expect.stringMatching(/^apps\/d.* has a name that is not UTF-8/),
    expect.stringMatching(/^apps\/link points to a name that is not UTF-8/),
  ]);
});

it('names what lies too deep to be restored, and takes the rest', async () => {
  // In two halves, of which either is short enough for the system.
  const half = () => Array.from({ length: 12 }, () => 'x'.repeat(200)).join('/');
  for (const folder of [live, join(home, 'below')]) mkdirSync(join(folder, half()), { recursive: true });
  writeFileSync(join(home, 'below', half(), 'file'), 'deep');
  renameSync(join(home, 'below'), join(live, half(), 'below'));
  const parts = await openParts(join(home, 'deep'));
  const taken = await parts.take((copying) => copying.part('apps', (part) => copyTree(part, live)));
  expect(taken.missing).toEqual([expect.stringMatching(/^apps\/x{120}… lies too deep to be restored\.$/)]);
  await parts.bringBack(taken, 'restored');
  const entries = await Array.fromAsync(entriesOf(parts.chunks, taken.part));
  expect(entries.filter(({ path }) => path.startsWith('x'))).toHaveLength(16);
});
