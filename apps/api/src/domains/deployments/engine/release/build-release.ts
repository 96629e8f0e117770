import { join } from 'node:path';
import type { ProjectTemplate } from '@nephos/contracts';
import { removeTree } from '@nephos/db';
import { detect } from '../detect/detect.ts';
import { CannotRun, type Plan, type Serve } from '../detect/plan.ts';
import { takeSnapshot } from '../detect/snapshot.ts';
import { cacheFolder, makePassage, makePrivate, projectFolder, releasesFolder } from '../folders.ts';
import type { BuildOptions, RunningBuild } from '../process/build-options.ts';
import { folderSize } from '../process/folder-size.ts';
import { type BuildParts, clone } from '../source/clone.ts';
import { copyTemplate } from '../source/copy-template.ts';
import { StepFailure } from '../step-failure.ts';
import { runPlan } from './run-plan.ts';
import { sealSite } from './seal-site.ts';

/** What stands where the commit's message would. */
const TEMPLATE_TITLES: Record<ProjectTemplate, string> = {
  'full-stack': 'Full-stack template',
  'node-api': 'Node.js API template',
  'python-api': 'Python API template',
  'react-site': 'React site template',
  'static-site': 'Static site template',
  'status-page': 'Status page template',
};

/** Makes a release from the newest commit, or from a template. Throws `StepFailure`, or the signal's reason. */
export async function buildRelease(parts: BuildParts, options: BuildOptions): Promise<Serve> {
  const { job, folders, account } = options;
  await job.onProgress({ status: 'building', step: 'clone' });
  await prepareFolders(parts, options);
  const plan = await buildIn(parts, options);
  await removeTree(join(folders.app, '.git'));
  const serve = plan.serve;
  const result: Serve = 'kind' in serve ? serve : await sealSite(parts, options, serve);
  await cleanUp(parts, options, result);
  if (result.kind === 'process')
    await Promise.all([folders.home, folders.tmp].map((f) => makePrivate(f, account)));
  return result;
}

/** Runs what is the project's code; nothing of that is left afterwards. */
async function buildIn(parts: BuildParts, options: BuildOptions): Promise<Plan> {
  await using run = await parts.runs.open(options.account);
  const running = { ...options, run };
  await fetchSource(parts, running);
  const plan = await detectPlan(parts, options);
  options.log.system(`${plan.summary}.`);
  await runPlan(parts, running, plan);
  return plan;
}

async function fetchSource(parts: BuildParts, options: RunningBuild): Promise<void> {
  const { job, log } = options;
  if (job.repositoryUrl === '' && job.template) {
    log.system(`Copying the template ${job.template}.`);
    await copyTemplate(options, job.template);
    return job.onProgress({ step: 'detect', commitMessage: TEMPLATE_TITLES[job.template] });
  }
  log.system(`Cloning ${job.repositoryUrl}, branch ${job.branch}.`);
  const commit = await clone(parts, options);
  log.system(`Commit ${commit.id.slice(0, 12)}: ${commit.message}`);
  await job.onProgress({ step: 'detect', commit: commit.id, commitMessage: commit.message });
}

async function prepareFolders(parts: BuildParts, { job, folders, account }: BuildOptions): Promise<void> {
  // A former attempt at this deployment may have been cut off.
  await removeTree(folders.release);
  const { root } = parts;
  for (const folder of [join(root, 'projects'), projectFolder(root, job.projectId)])
    await makePassage(folder);
  for (const folder of [releasesFolder(root, job.projectId), folders.release]) await makePassage(folder);
  const own = [folders.home, folders.tmp, cacheFolder(root, job.projectId)];
  for (const folder of own) await makePrivate(folder, account);
}

async function detectPlan(parts: BuildParts, { job, folders, account }: BuildOptions): Promise<Plan> {
  const { npm, python } = parts.toolchain;
  if (job.framework === 'python' && !python.command) throw new StepFailure('detect', python.reason);
  try {
    const plan = detect(job.framework, await takeSnapshot(folders.app, account), folders.app);
    const usesNpm = [...plan.install, ...plan.build].some(({ argv }) => argv[0] === 'npm');
    if (usesNpm && !npm)
      throw new StepFailure('detect', 'The build needs npm, which is not installed on this server.');
    return plan;
  } catch (error) {
    if (error instanceof CannotRun) throw new StepFailure('detect', error.message);
    throw error;
  }
}

/** Frees what only the build needed: its home and temporary files, a large cache, a site's sources. */
async function cleanUp(
  parts: BuildParts,
  { job, folders, account }: BuildOptions,
  { kind }: Serve,
): Promise<void> {
  await Promise.all([folders.home, folders.tmp].map(removeTree));
  if (kind === 'static') await removeTree(folders.app);
  const cache = cacheFolder(parts.root, job.projectId);
  if ((await folderSize([cache])) > parts.limits.cacheBytes) {
    await removeTree(cache);
    await makePrivate(cache, account);
  }
}
