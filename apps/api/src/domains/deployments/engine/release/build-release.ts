import { join } from 'node:path';
import type { ProjectTemplate } from '@nephos/contracts';
import { removeTree } from '@nephos/db';
import { advise, adviseFolder } from '../detect/advise.ts';
import { detect } from '../detect/detect.ts';
import { CannotRun, type Plan, type Serve } from '../detect/plan.ts';
import { takeSnapshot } from '../detect/snapshot.ts';
import { cacheFolder, makePassage, makePrivate, projectFolder, releasesFolder } from '../folders.ts';
import type { BuildOptions, RunningBuild } from '../process/build-options.ts';
import { folderSize } from '../process/folder-size.ts';
import { type BuildParts, clone } from '../source/clone.ts';
import { copyTemplate } from '../source/copy-template.ts';
import { StepFailure } from '../step-failure.ts';
import { bringPrograms, type Runtimes } from './bring-programs.ts';
import { runPlan } from './run-plan.ts';
import { runReleaseCommand } from './run-release-command.ts';
import { sealSite } from './seal-site.ts';

const MB = 1024 ** 2;

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
  try {
    const plan = await buildIn(parts, options);
    await removeTree(join(folders.app, '.git'));
    const serve = plan.serve;
    const result: Serve = 'kind' in serve ? serve : await sealSite(parts, options, serve);
    await Promise.all([folders.home, folders.tmp].map(removeTree));
    if (plan.release || result.kind === 'process')
      await Promise.all([folders.home, folders.tmp].map((f) => makePrivate(f, account)));
    if (plan.release) await runReleaseCommand(parts, options, plan.release);
    if (result.kind === 'static') await Promise.all([folders.app, folders.home, folders.tmp].map(removeTree));
    return result;
  } finally {
    await trimCache(parts, options);
  }
}

/** Runs what is the project's code; nothing of that is left afterwards. */
async function buildIn(parts: BuildParts, options: BuildOptions): Promise<Plan> {
  const { buildMemory, threads: tasks } = parts.limits;
  await using run = await parts.runs.open(options.account, {
    folders: options.folders,
    mounts: [{ folder: cacheFolder(parts.root, options.job.projectId) }],
    limits: { memory: buildMemory / MB, cpu: null, tasks },
  });
  const running = { ...options, run };
  await fetchSource(parts, running);
  const plan = await detectPlan(parts, options);
  const runtimes = await bringPrograms(parts, options, plan);
  const runtime = runtimeTitle(runtimes);
  await options.job.onProgress({ detected: { ...plan.detected, runtime } });
  const { framework, packageManager } = plan.detected;
  const said = [framework, runtime, packageManager].filter((name) => name !== null && name !== '');
  options.log.system(`Detected ${said.join(', ')}.`);
  for (const note of plan.notes) options.log.system(note);
  await runPlan(parts, running, plan, runtimes);
  return plan;
}

function runtimeTitle({ node, python }: Runtimes): string | null {
  if (python) return `Python ${python.version}`;
  return node ? `Node.js ${node}` : null;
}

async function fetchSource(parts: BuildParts, options: RunningBuild): Promise<void> {
  const { job, log } = options;
  if (job.repositoryUrl === '' && job.template) {
    log.system(`Copying the template ${job.template}.`);
    await copyTemplate(options, job.template);
    return job.onProgress({ step: 'detect', commitMessage: TEMPLATE_TITLES[job.template] });
  }
  log.system(
    `Cloning ${job.repositoryUrl}, ${job.branch === '' ? 'default branch' : `branch ${job.branch}`}.`,
  );
  const commit = await clone(parts, options);
  log.system(`Commit ${commit.id.slice(0, 12)}: ${commit.message}`);
  const found = job.branch === '' ? { branch: commit.branch } : {};
  await job.onProgress({ step: 'detect', commit: commit.id, commitMessage: commit.message, ...found });
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
  const { python, hugo } = parts.toolchain;
  if (job.framework === 'python' && !python.command) throw new StepFailure('detect', python.reason);
  const repository = { root: folders.app, account };
  const { rootDirectory } = job.settings;
  const snapshot = await takeSnapshot(folders.app, rootDirectory, account);
  if (!snapshot) {
    const known = await adviseFolder(repository);
    throw new StepFailure('detect', `The repository has no folder ${rootDirectory}. ${known}`);
  }
  try {
    return detect(job.framework, snapshot, job.settings, { hugo });
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const advice = error.lacks ? ` ${await advise(job.framework, snapshot, repository)}` : '';
    throw new StepFailure('detect', `${error.message}${advice}`);
  }
}

/** Parts of what is kept, from what is had back most easily to what is not. */
const CACHES = ['yarn', 'xdg-data', 'npm', 'pip', 'xdg', 'tools', 'packages'];

/** Keeps what the next build can use within its bound. */
async function trimCache(parts: BuildParts, { job, account }: BuildOptions): Promise<void> {
  const cache = cacheFolder(parts.root, job.projectId);
  for (const name of CACHES) {
    if ((await folderSize([cache])) <= parts.limits.cacheBytes) return;
    await removeTree(join(cache, name));
  }
  await removeTree(cache);
  await makePrivate(cache, account);
}
