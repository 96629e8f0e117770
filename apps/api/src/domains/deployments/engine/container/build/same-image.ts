import { createHash } from 'node:crypto';
import { removeTree } from '@nephos/db';
import { releaseFolders } from '../../folders.ts';
import { newestBuild, readManifest } from '../../release/releases.ts';
import { REUSED } from '../../release/same-build.ts';
import type { BuildOptions, Release } from '../../runtime.ts';
import { findImage } from '../images.ts';
import type { BuildTask } from './build-task.ts';
import type { ImageBuildParts } from './image-parts.ts';

/** The same for builds of the same commit by the same Dockerfile, arguments and variables. */
export function imageKey(
  { job }: Pick<BuildOptions, 'job'>,
  commit: string,
  { recipe, site, processes, command }: BuildTask,
): string {
  const { repositoryUrl, buildVariables, settings } = job;
  const parts = [
    ...[repositoryUrl, commit, settings.rootDirectory, recipe, site, processes, command, process.arch],
    Object.entries(buildVariables).sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The newest release, where a build would only make it again and its image is still here. */
export async function findSameImage(
  { root, daemon }: ImageBuildParts,
  options: BuildOptions,
  key: string,
): Promise<Release | undefined> {
  const { job, log } = options;
  if (job.clearCache) return undefined;
  const newest = await newestBuild(root, job.projectId);
  if (newest?.build.key !== key) return undefined;
  const folders = releaseFolders(root, job.projectId, newest.id);
  const serve = await readManifest(folders.manifest);
  if (!serve || (serve.kind === 'container' && !(await findImage(daemon.docker, serve.image))))
    return undefined;
  log.system(REUSED);
  await removeTree(options.folders.release);
  await job.onProgress({ rollbackOf: newest.id });
  return { options: { ...options, folders, job: { ...job, rollbackOf: newest.id } }, serve };
}
