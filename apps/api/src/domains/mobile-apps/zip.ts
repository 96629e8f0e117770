import type { BuildFile } from '@nephos/contracts';
import { strToU8, zipSync } from 'fflate';

/** A zip archive of some kilobytes; the same files give the same bytes at any time. */
export function zipOf(files: readonly BuildFile[]): Uint8Array {
  const contents = Object.fromEntries(files.map(({ path, contents }) => [path, strToU8(contents)]));
  // Local time, as the format stores it, so that the bytes are the same in any time zone.
  return zipSync(contents, { mtime: new Date(1980, 0, 1, 12) });
}
