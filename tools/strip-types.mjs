// Strips the sources that are named (relative to the repository) of their types, for `without-types.mjs`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { root } from './process.mjs';
import { STRIPPED, strippedFile } from './without-types.mjs';

rmSync(STRIPPED, { recursive: true, force: true });
mkdirSync(STRIPPED, { recursive: true });
for (const path of process.argv.slice(2)) {
  const source = readFileSync(join(root, path));
  writeFileSync(strippedFile(source), stripTypeScriptTypes(source.toString('utf8')));
}
