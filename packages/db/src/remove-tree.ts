import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { runsAsRoot } from './unprivileged-account.ts';

const run = promisify(execFile);

/**
 * Deletes a folder with all that is in it. As root by `rm`, which holds on to the folders it is in: Node's own walk
 * goes by path, and another account that swaps a folder of its own for a link could lead it elsewhere.
 */
export async function removeTree(folder: string): Promise<void> {
  if (runsAsRoot()) await run('rm', ['-rf', '--one-file-system', '--', folder], { env: {} });
  else await rm(folder, { recursive: true, force: true });
}
