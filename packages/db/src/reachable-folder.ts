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
  const fallback = fallbackOf(absolute, purpose);
  const folder = !existsSync(fallback) && isReachable(dirname(absolute)) ? absolute : fallback;
  makePassable(dirname(folder));
  return folder;
}

/**
 * As `reachableFolder`, but what is there wins: the one of the two places that holds data, also where a parent was
 * closed since. Throws where other accounts can no longer get to that one, and where both hold data.
 */
export function settledFolder(dir: string, purpose: string, holdsData: (folder: string) => boolean): string {
  const absolute = resolve(dir);
  const places = runsAsRoot() ? [absolute, fallbackOf(absolute, purpose)] : [absolute];
  const [place, another] = places.filter(holdsData);
  if (place === undefined) return reachableFolder(dir, purpose);
  if (another !== undefined) {
    throw new Error(`There is data in ${place} and in ${another}: move one of the two away.`);
  }
  if (runsAsRoot() && !isReachable(dirname(place))) {
    throw new Error(
      `There is data in ${place}, but a folder above it is closed to others: open it (chmod o+x).`,
    );
  }
  return place;
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

function fallbackOf(absolute: string, purpose: string): string {
  const hash = createHash('sha256').update(absolute).digest('hex').slice(0, 12);
  return join(SYSTEM_ROOT, hash, purpose);
}
