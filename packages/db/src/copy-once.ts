import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePassable } from './reachable-folder.ts';

/** Copies a file or folder to where any account can read it, unless it is there already; of several at once, one does. */
export function copyOnce(source: string, copy: string): void {
  if (existsSync(copy)) return;
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
}

function openToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
