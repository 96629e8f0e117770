import type { BuildFile } from '@nephos/contracts';
import { strToU8, zipSync } from 'fflate';

/** In local time, as the format stores it: the same bytes at any time, in any zone. */
const MODIFIED = new Date(1980, 0, 1, 12);

/** A zip archive of some tens of kilobytes; the same files give the same bytes. */
export function zipOf(files: readonly BuildFile[]): Uint8Array {
  return zipSync(Object.fromEntries(files.map(({ path, contents }) => [path, strToU8(contents)])), {
    mtime: MODIFIED,
  });
}
