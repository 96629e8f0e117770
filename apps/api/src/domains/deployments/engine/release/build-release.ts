import { join } from 'node:path';
import { removeTree } from '@nephos/db';
import type { Plan, Serve } from '../detect/plan.ts';
import { dockerfileSource, generateDockerfile } from '../dockerfile/generate-dockerfile.ts';
import { cacheFolder, makePrivate, releaseFolders } from '../folders.ts';
import { folderSize } from '../process/folder-size.ts';
import type { BuildOptions, Release } from '../runtime.ts';
import type { BuildParts } from '../source/clone.ts';
import { fetchSource, prepareFolders } from '../source/fetch-source.ts';
import { StepFailure } from '../step-failure.ts';
import { bringPrograms, type Runtimes } from './bring-programs.ts';
import { lookAtFolder, planBuild } from './plan-build.ts';
import { type Build, readManifest } from './releases.ts';
import { runPlan } from './run-plan.ts';
import { runReleaseCommand } from './run-release-command.ts';
import { buildKey, describeBuild, findSameBuild, REUSED } from './same-build.ts';
import { sealSite } from './seal-site.ts';

const MB = 1024 ** 2;

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
  log.system(REUSED);
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
  const { python, hugo } = parts.toolchain;
  if (options.job.framework === 'python' && !python.command) throw new StepFailure('detect', python.reason);
  const snapshot = await lookAtFolder(options);
  const plan = await planBuild(options, snapshot, { hugo, containers: false });
  const runtimes = await bringPrograms(parts, options, plan);
  const runtime = runtimeTitle(runtimes);
  const images = parts.settings.baseImages;
  const { text: dockerfile } = generateDockerfile(dockerfileSource(options.job, { plan, snapshot, images }));
  await options.job.onProgress({ detected: { ...plan.detected, runtime }, dockerfile });
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
