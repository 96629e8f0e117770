import { join } from 'node:path';
import type { ProjectTemplate } from '@nephos/contracts';
import { removeTree } from '@nephos/db';
import { advise, adviseFolder } from '../detect/advise.ts';
import { detect } from '../detect/detect.ts';
import { CannotRun, type Plan, type Serve } from '../detect/plan.ts';
import { takeSnapshot } from '../detect/snapshot.ts';
import {
  cacheFolder,
  makePassage,
  makePrivate,
  projectFolder,
  releaseFolders,
  releasesFolder,
} from '../folders.ts';
import type { BuildOptions, RunningBuild } from '../process/build-options.ts';
import { folderSize } from '../process/folder-size.ts';
import { type BuildParts, clone } from '../source/clone.ts';
import { copyTemplate } from '../source/copy-template.ts';
import { StepFailure } from '../step-failure.ts';
import { bringPrograms, type Runtimes } from './bring-programs.ts';
import { type Build, readManifest } from './releases.ts';
import { runPlan } from './run-plan.ts';
import { runReleaseCommand } from './run-release-command.ts';
import { buildKey, describeBuild, findSameBuild } from './same-build.ts';
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

/** A release that can be started. */
export interface Release {
  /** With its folders. `job.rollbackOf` names the deployment that built it, where it is an earlier one. */
  options: BuildOptions;
  serve: Serve;
  /** What it was built from; undefined for an earlier one. */
  build?: Build | undefined;
}

/**
 * Makes a release from the newest commit, or from a template, or finds the one that a build would only make again. Throws
 * `StepFailure`, or the signal's reason.
 */
export async function buildRelease(parts: BuildParts, options: BuildOptions): Promise<Release> {
  const { job, folders, account } = options;
  await job.onProgress({ status: 'building', step: 'clone' });
  if (job.clearCache) await removeTree(cacheFolder(parts.root, job.projectId));
  await prepareFolders(parts, options);
  try {
    const { plan, build, same } = await buildIn(parts, options);
    if (same !== undefined) return await reuseRelease(parts, options, { plan, builder: same });
    await removeTree(join(folders.app, '.git'));
    const serve = plan.serve;
    const result: Serve = 'kind' in serve ? serve : await sealSite(parts, options, serve);
    await Promise.all([folders.home, folders.tmp].map(removeTree));
    if (plan.release || result.kind === 'process')
      await Promise.all([folders.home, folders.tmp].map((f) => makePrivate(f, account)));
    if (plan.release) await runReleaseCommand(parts, options, plan.release);
    if (result.kind === 'static') await Promise.all([folders.app, folders.home, folders.tmp].map(removeTree));
    return { options, serve: result, build };
  } finally {
    await trimCache(parts, options);
  }
}

async function reuseRelease(
  parts: BuildParts,
  options: BuildOptions,
  { plan, builder }: { plan: Plan; builder: string },
): Promise<Release> {
  const { job, log } = options;
  log.system(
    'Nothing has changed since the last build, so it is used again. To build anew, clear the cache and deploy.',
  );
  const folders = releaseFolders(parts.root, job.projectId, builder);
  const serve = await readManifest(folders.manifest);
  if (!serve) throw new Error(`the release ${builder} is gone`);
  await removeTree(options.folders.release);
  await job.onProgress({ rollbackOf: builder });
  const earlier = { ...options, folders, job: { ...job, rollbackOf: builder } };
  if (plan.release) await runReleaseCommand(parts, earlier, plan.release);
  return { options: earlier, serve };
}

/** Runs what is the project's code; nothing of that is left afterwards. `same`: whose release makes that superfluous. */
async function buildIn(
  parts: BuildParts,
  options: BuildOptions,
): Promise<{ plan: Plan; build?: Build | undefined; same?: string }> {
  const { buildMemory, threads: tasks } = parts.limits;
  await using run = await parts.runs.open(options.account, {
    folders: options.folders,
    mounts: [{ folder: cacheFolder(parts.root, options.job.projectId) }],
    limits: { memory: buildMemory / MB, cpu: null, tasks },
  });
  const running = { ...options, run };
  const commit = await fetchSource(parts, running);
  const plan = await detectPlan(parts, options);
  const runtimes = await bringPrograms(parts, options, plan);
  const runtime = runtimeTitle(runtimes);
  await options.job.onProgress({ detected: { ...plan.detected, runtime } });
  const { framework, packageManager } = plan.detected;
  const said = [framework, runtime, packageManager].filter((name) => name !== null && name !== '');
  options.log.system(`Detected ${said.join(', ')}.`);
  for (const note of plan.notes) options.log.system(note);
  const key = commit && buildKey(parts, running, { commit, plan, runtimes });
  const same = key && (await findSameBuild(parts, running, plan, key));
  if (same) return { plan, same };
  await runPlan(parts, running, plan, runtimes);
  return { plan, build: key ? await describeBuild(parts, running, plan, key) : undefined };
}

function runtimeTitle({ node, python }: Runtimes): string | null {
  if (python) return `Python ${python.version}`;
  return node ? `Node.js ${node}` : null;
}

/** The commit's id; undefined for a template. */
async function fetchSource(parts: BuildParts, options: RunningBuild): Promise<string | undefined> {
  const { job, log } = options;
  if (job.repositoryUrl === '' && job.template) {
    log.system(`Copying the template ${job.template}.`);
    await copyTemplate(options, job.template);
    await job.onProgress({ step: 'detect', commitMessage: TEMPLATE_TITLES[job.template] });
    return undefined;
  }
  log.system(
    `Cloning ${job.repositoryUrl}, ${job.branch === '' ? 'default branch' : `branch ${job.branch}`}.`,
  );
  const commit = await clone(parts, options);
  log.system(`Commit ${commit.id.slice(0, 12)}: ${commit.message}`);
  const found = job.branch === '' ? { branch: commit.branch } : {};
  await job.onProgress({ step: 'detect', commit: commit.id, commitMessage: commit.message, ...found });
  return commit.id;
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
