import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { runsAsRoot } from './unprivileged-account.ts';

const SYSTEM_ROOT = '/var/lib/nephos';

/**
 * A place that an unprivileged account can get to: `dir`, or when we are root and one of its parents is
 * closed to others (a repository under /root), `/var/lib/nephos/<hash of dir>/<purpose>`.
 * Missing parents of the answer are made; the folder itself is left to the caller, who knows its owner.
 * A place chosen once is kept even when the parents are opened later, because data lies there.
 */
export function reachableFolder(dir: string, purpose: string): string {
  const absolute = resolve(dir);
  if (!runsAsRoot()) {
    mkdirSync(dirname(absolute), { recursive: true });
    return absolute;
  }
  const fallback = join(systemFolder(absolute), purpose);
  const folder = !existsSync(fallback) && isReachable(dirname(absolute)) ? absolute : fallback;
  makePassable(dirname(folder));
  return folder;
}

/** Whether every existing folder down to `dir` may be entered by any account. */
export function isReachable(dir: string): boolean {
  const parent = dirname(dir);
  const open = !existsSync(dir) || (statSync(dir).mode & 0o001) !== 0;
  return open && (parent === dir || isReachable(parent));
}

/** Makes `dir` with its parents; what is new may be entered, but not listed, by any account, whatever the umask. */
export function makePassable(dir: string): void {
  const first = mkdirSync(dir, { recursive: true });
  if (first === undefined) return;
  const steps = relative(first, dir).split(sep).filter(Boolean);
  let folder = first;
  chmodSync(folder, 0o711);
  for (const step of steps) {
    folder = join(folder, step);
    chmodSync(folder, 0o711);
  }
}

function systemFolder(absolute: string): string {
  return join(SYSTEM_ROOT, createHash('sha256').update(absolute).digest('hex').slice(0, 12));
}
