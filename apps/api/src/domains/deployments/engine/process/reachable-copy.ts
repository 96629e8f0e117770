import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { copyOnce, isReachable } from '@nephos/db';

/**
 * A file or folder where any account can read it: `source` itself, or a copy below `folder` that is made once when we
 * are root and a parent of `source` is closed to others (programs under /root).
 */
export function reachableCopy(source: string, folder: string): string {
  if (process.getuid?.() !== 0 || isReachable(dirname(source))) return source;
  return ownCopy(source, folder);
}

/** A copy of a file or folder below `folder`, which is made once. */
export function ownCopy(source: string, folder: string): string {
  const copy = join(folder, fingerprint(source), basename(source));
  copyOnce(source, copy);
  return copy;
}

function fingerprint(source: string): string {
  const { mtimeMs, size } = statSync(source);
  return createHash('sha256').update(`${source} ${mtimeMs} ${size}`).digest('hex').slice(0, 12);
}
