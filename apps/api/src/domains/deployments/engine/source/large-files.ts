import { holdFolder, readPlainFile } from '@nephos/db';
import type { ProcessParts } from '../process/process-parts.ts';
import type { RunningBuild } from '../process/running-build.ts';
import { askGit, cloneFailure, type Git } from './git.ts';

const MAX_BYTES = 256 * 1024;

/**
 * Refuses a clone whose files are partly kept in Git LFS: an app would be built with pointers in their place, and find
 * out when a page shows a broken image. Of a monorepo only the project's folder counts.
 */
export async function refuseLfs(parts: ProcessParts, options: RunningBuild, git: Git): Promise<void> {
  const { folders, account, job } = options;
  await using folder = await holdFolder(folders.app, account);
  const attributes = await readPlainFile(folder.at('.gitattributes'), account, MAX_BYTES);
  if (!attributes?.includes('filter=lfs')) return;
  const said = await askGit(parts, options, git, {
    args: ['-C', folders.app, 'ls-files', '--', `:(attr:filter=lfs)${job.settings.rootDirectory}`],
    failure: () => 'its files could not be listed. See the log for details',
  });
  const [first, ...others] = said.split('\n').filter(Boolean);
  if (!first) return;
  const named = others.length === 0 ? first : `${first} and others`;
  throw cloneFailure(
    `it keeps ${named} in Git LFS, which Nephos doesn't download. Store these files in Git itself, or load them from elsewhere`,
  );
}
