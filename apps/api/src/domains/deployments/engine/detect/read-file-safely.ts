import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_BYTES = 1024 ** 2;

/**
 * Text of a file in a folder that user code can write to; undefined when it is not a plain file there. A link is not
 * followed and a pipe not waited for, since we may be allowed to read more than the project is.
 */
export async function readFileSafely(folder: string, name: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(folder, name), flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(stat.size, MAX_BYTES)), 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}

/** Whether a plain file, no link, lies there. */
export async function isPlainFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isFile(),
    () => false,
  );
}
