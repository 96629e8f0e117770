import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SERVER_FLAGS } from '../process.mjs';
import { STRIPPED, strippedFile } from '../without-types.mjs';

let folder: string;
const left: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nephos-types-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});

afterEach(() => {
  for (const path of [folder, ...left.splice(0)]) rmSync(path, { recursive: true });
});

/** What a module of `source` prints, where `stripped` is what was left of it, if anything was. */
function run(source: string, stripped?: string): string {
  if (stripped !== undefined) {
    const file = strippedFile(Buffer.from(source));
    mkdirSync(STRIPPED, { recursive: true });
    writeFileSync(file, stripped);
    left.push(file);
  }
  writeFileSync(join(folder, 'module.ts'), source);
  writeFileSync(join(folder, 'main.ts'), "import { it } from './module.ts'; console.log(it);");
  return execFileSync(process.execPath, [...SERVER_FLAGS, join(folder, 'main.ts')], { encoding: 'utf8' });
}

test('the server takes a source without its types, and one that was changed since as it is', () => {
  const source = `export const it: string = 'as written'; // ${folder}`;
  expect(run(source)).toBe('as written\n');
  expect(run(source, "export const it = 'stripped'")).toBe('stripped\n');
  expect(run(source.replace('written', 'changed'))).toBe('as changed\n');
});
