// Preloaded by the server, which is written in TypeScript: takes its sources as `strip-types.mjs` left them. Whoever has
// Node strip them keeps Node's compiler in memory for good, 17 MB of it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './process.mjs';

/** Where stripped sources are: in node_modules, so that they go when those go. */
export const STRIPPED = join(root, 'node_modules', '.nephos-sources');

/**
 * The file of a source without its types, by what the source says: one that was changed since is not found.
 * @param {Buffer} source
 */
export function strippedFile(source) {
  return join(STRIPPED, `${createHash('sha256').update(source).digest('hex')}.js`);
}

/** @param {string} url */
function readStripped(url) {
  try {
    return readFileSync(strippedFile(readFileSync(fileURLToPath(url))), 'utf8');
  } catch {
    return undefined;
  }
}

registerHooks({
  load(url, context, next) {
    const source = url.startsWith('file:') && url.endsWith('.ts') ? readStripped(url) : undefined;
    return source === undefined ? next(url, context) : { format: 'module', shortCircuit: true, source };
  },
});
