import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './process.mjs';

/** SHA-256 over the names and contents of `files` (relative to the repository), and `extra` words. */
export function fingerprint(files, extra = []) {
  const hash = createHash('sha256');
  for (const word of extra) hash.update(`${word}\0`);
  for (const file of files.toSorted()) {
    hash.update(`${file}\0`);
    hash.update(readFileSync(join(root, file)));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/** Every file below `folder` (relative to the repository) that `wanted(name, path)` lets through; asked of folders too. */
export function filesBelow(folder, wanted) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!wanted(entry.name, path)) return [];
    if (entry.isDirectory()) return filesBelow(path, wanted);
    return entry.isFile() ? [path] : [];
  });
}

/** What was done last, kept in node_modules so that it goes when they go. */
export function stampFile(name) {
  const path = join(root, 'node_modules', `.nephos-${name}`);
  return {
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    clear: () => rmSync(path, { force: true }),
    write(text) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
  };
}
