import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isReachable, makePassable } from '@nephos/db';

/**
 * A file or folder where any account can read it: `source` itself, or a copy below `folder` that is made once when we
 * are root and a parent of `source` is closed to others (programs under /root).
 */
export function reachableCopy(source: string, folder: string): string {
  if (process.getuid?.() !== 0 || isReachable(dirname(source))) return source;
  const copy = join(folder, fingerprint(source), basename(source));
  if (existsSync(copy)) return copy;
  makePassable(dirname(copy));
  const half = `${copy}.${randomBytes(6).toString('hex')}`;
  cpSync(source, half, { recursive: true, verbatimSymlinks: true });
  openToAll(half);
  try {
    renameSync(half, copy);
  } catch (error) {
    // Another start may have put its own copy there first: they are the same files.
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function fingerprint(source: string): string {
  const { mtimeMs, size } = statSync(source);
  return createHash('sha256').update(`${source} ${mtimeMs} ${size}`).digest('hex').slice(0, 12);
}

function openToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
