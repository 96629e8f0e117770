import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareFiles } from '../../src/backup/proof/compare-files.ts';
import { copyTree } from '../../src/backup/sources/tree.ts';
import { openParts } from './take-part.ts';
import { openFolder } from './whole-cloud.ts';

let home: string;

beforeAll(() => {
  home = openFolder();
  const live = join(home, 'live');
  mkdirSync(live);
  for (const name of ['one', 'two', 'three']) {
    writeFileSync(join(live, name), name);
    chmodSync(join(live, name), 0o777);
  }
  linkSync(join(live, 'one'), join(live, 'other'));
  symlinkSync('one', join(live, 'symbolic'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Bytes and mode stay, in a file of its own. */
function part(file: string): void {
  copyFileSync(file, `${file}.new`);
  renameSync(`${file}.new`, file);
}

function putBehindLink(file: string): void {
  renameSync(file, `${file}.moved`);
  symlinkSync(`${file}.moved`, file);
}

it.each<[string, string[], (folder: string) => void]>([
  ['nothing', [], () => {}],
  ['bytes', ['two'], (folder) => writeFileSync(join(folder, 'two'), 'owt')],
  ['a mode', ['three'], (folder) => chmodSync(join(folder, 'three'), 0o700)],
  ['a hard link', ['other'], (folder) => part(join(folder, 'other'))],
  ['a file behind a link', ['two'], (folder) => putBehindLink(join(folder, 'two'))],
])('sees that %s changed', async (what, files, change) => {
  const name = what.replaceAll(' ', '-');
  const parts = await openParts(join(home, name));
  const taken = await parts.take((copying) =>
    copying.part(`${name}-back`, (copy) => copyTree(copy, join(home, 'live'))),
  );
  change(await parts.bringBack(taken, 'back'));
  const manifest = { parts: [taken.part], takenAt: new Date().toISOString() };
  const { signal } = new AbortController();
  const { problems } = await compareFiles(home, { repository: parts, manifest, signal });
  expect(problems).toEqual(files.map((file) => `${name}-back/${file} is not what was backed up.`));
});
