import { join } from 'node:path';
import { TEMPLATE_NAMES, versionedName } from '@nephos/contracts';
import { removeTree } from '@nephos/db';
import { cacheFolder, makePassage, makePrivate, projectFolder, releasesFolder } from '../folders.ts';
import type { RunningBuild } from '../process/running-build.ts';
import type { BuildOptions } from '../runtime.ts';
import { type BuildParts, clone } from './clone.ts';
import { copyRecipe, copyTemplate } from './copy-source.ts';

/** Makes the folders of a release anew, with nothing in them. */
export async function prepareFolders(
  parts: BuildParts,
  { job, folders, account }: BuildOptions,
): Promise<void> {
  // A former attempt at this deployment may have been cut off.
  await removeTree(folders.release);
  const { root } = parts;
  for (const folder of [join(root, 'projects'), projectFolder(root, job.projectId)])
    await makePassage(folder);
  for (const folder of [releasesFolder(root, job.projectId), folders.release]) await makePassage(folder);
  const own = [folders.home, folders.tmp, cacheFolder(root, job.projectId)];
  for (const folder of own) await makePrivate(folder, account);
}

/**
 * Puts the newest commit, a template or an app of the marketplace in the place of `folders.app`. The answer is the
 * commit's id; undefined where there is none. Throws `StepFailure`, or the signal's reason.
 */
export async function fetchSource(parts: BuildParts, options: RunningBuild): Promise<string | undefined> {
  const { job, log } = options;
  if (job.repositoryUrl === '' && !job.pushed && job.template) {
    log.system(`Copying the template ${job.template}.`);
    await copyTemplate(options, job.template);
    await job.onProgress({ step: 'detect', commitMessage: `${TEMPLATE_NAMES[job.template]} template` });
    return undefined;
  }
  if (job.repositoryUrl === '' && job.recipe) {
    const title = versionedName(job.recipe);
    log.system(`Preparing ${title}.`);
    await copyRecipe(options, job.recipe);
    await job.onProgress({ step: 'detect', commitMessage: title });
    return undefined;
  }
  const what = job.branch === '' ? 'default branch' : `branch ${job.branch}`;
  log.system(
    job.pushed ? `Checking out the ${what} as it was pushed.` : `Cloning ${job.repositoryUrl}, ${what}.`,
  );
  const commit = await clone(parts, options);
  log.system(`Commit ${commit.id.slice(0, 12)}: ${commit.message}`);
  const found = job.branch === '' ? { branch: commit.branch } : {};
  await job.onProgress({ step: 'detect', commit: commit.id, commitMessage: commit.message, ...found });
  return commit.id;
}
