import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentStep } from '@nephos/contracts';
import type { Account } from './account.ts';
import { clone } from './clone.ts';
import { detect } from './detect.ts';
import type { EngineDeps } from './engine-deps.ts';
import { buildEnvironment } from './environment.ts';
import { folderSize } from './folder-size.ts';
import {
  cacheFolder,
  makePassage,
  makePrivate,
  projectFolder,
  type ReleaseFolders,
  releasesFolder,
} from './folders.ts';
import { Breach, guard } from './guard.ts';
import { CannotRun, type Plan, type PlannedCommand, type Serve, type SiteSource } from './plan.ts';
import { removeTree } from './remove-tree.ts';
import { describeExit, runCommand } from './run-command.ts';
import { hasIndex, rootPages, sealSite, UnservableSite } from './seal-site.ts';
import type { DeploymentJob, LogWriter } from './seams.ts';
import { takeSnapshot } from './snapshot.ts';
import { StepFailure } from './step-failure.ts';

export interface BuildOptions {
  job: DeploymentJob;
  folders: ReleaseFolders;
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
}

/** Makes a release from the newest commit. Throws `StepFailure`, or the signal's reason. */
export async function buildRelease(deps: EngineDeps, options: BuildOptions): Promise<Serve> {
  const { job, folders, account, log } = options;
  await job.onProgress({ status: 'building', step: 'clone' });
  await prepareFolders(deps, options);
  log.system(`Cloning ${job.repositoryUrl}, branch ${job.branch}.`);
  const commit = await clone(deps, options);
  log.system(`Commit ${commit.id.slice(0, 12)}: ${commit.message}`);
  await job.onProgress({ step: 'detect', commit: commit.id, commitMessage: commit.message });
  const plan = await detectPlan(deps, options);
  log.system(`${plan.summary}.`);
  await runPlan(deps, options, plan);
  await removeTree(join(folders.app, '.git'));
  const serve = plan.serve;
  const result: Serve = 'kind' in serve ? serve : await takeSite(deps, options, serve);
  await cleanUp(deps, options);
  if (result.kind === 'process')
    await Promise.all([folders.home, folders.tmp].map((f) => makePrivate(f, account)));
  return result;
}

async function prepareFolders(deps: EngineDeps, { job, folders, account }: BuildOptions): Promise<void> {
  // A former attempt at this deployment may have been cut off.
  await removeTree(folders.release);
  const { root } = deps;
  for (const folder of [join(root, 'projects'), projectFolder(root, job.projectId)])
    await makePassage(folder);
  for (const folder of [releasesFolder(root, job.projectId), folders.release]) await makePassage(folder);
  const own = [folders.app, folders.home, folders.tmp, cacheFolder(root, job.projectId)];
  for (const folder of own) await makePrivate(folder, account);
}

async function detectPlan(deps: EngineDeps, { job, folders }: BuildOptions): Promise<Plan> {
  const { npm, python } = deps.toolchain;
  if (job.framework === 'python' && !python.command) throw new StepFailure('detect', python.reason);
  try {
    const plan = detect(job.framework, await takeSnapshot(folders.app), folders.app);
    const usesNpm = [...plan.install, ...plan.build].some(({ argv }) => argv[0] === 'npm');
    if (usesNpm && !npm)
      throw new StepFailure('detect', 'There is no npm on this server, which the build needs.');
    return plan;
  } catch (error) {
    if (error instanceof CannotRun) throw new StepFailure('detect', error.message);
    throw error;
  }
}

async function runPlan(deps: EngineDeps, options: BuildOptions, plan: Plan): Promise<void> {
  const { job, folders, signal } = options;
  const { buildTime: time, buildBytes: bytes, buildMemory: memory, processes, sampleTime } = deps.limits;
  using bounds = guard(
    (candidate) => candidate.deployment === job.deploymentId,
    {
      time,
      memory,
      processes,
      disk: { folders: [folders.release, cacheFolder(deps.root, job.projectId)], bytes },
    },
    sampleTime,
  );
  const bounded = { ...options, signal: AbortSignal.any([signal, bounds.signal]) };
  const environment =
    job.framework === 'python' ? [await makeVenv(deps, options, plan.install.length > 0)] : [];
  await runStep(deps, bounded, 'install', [...environment, ...plan.install]);
  await runStep(deps, bounded, 'build', plan.build);
}

async function makeVenv(
  deps: EngineDeps,
  { folders, account }: BuildOptions,
  needsPip: boolean,
): Promise<PlannedCommand> {
  await makePrivate(folders.venv, account);
  const argv = [
    deps.toolchain.python.command ?? '',
    '-m',
    'venv',
    ...(needsPip ? [] : ['--without-pip']),
    folders.venv,
  ];
  return { argv, in: 'app', label: 'python -m venv' };
}

async function runStep(
  deps: EngineDeps,
  options: BuildOptions,
  step: DeploymentStep,
  commands: readonly PlannedCommand[],
): Promise<void> {
  const { job, folders, account, log, signal } = options;
  if (commands.length === 0) return;
  await job.onProgress({ step });
  const env = buildEnvironment(deps, { app: job, folders, cache: cacheFolder(deps.root, job.projectId) });
  for (const { argv, label, in: place } of commands) {
    log.system(`Running ${label}`);
    const command = {
      argv,
      env,
      account,
      folder: place === 'app' ? folders.app : folders.home,
      deploymentId: job.deploymentId,
      maxFileBytes: deps.limits.buildBytes,
    };
    const exit = await runCommand(deps, command, { log, signal }).catch((error: unknown) => {
      if (!(error instanceof Breach)) throw error;
      throw new StepFailure(step, `The ${step} step was stopped in ${label}: ${error.message}.`);
    });
    if (exit.code !== 0) {
      throw new StepFailure(
        step,
        `The ${step} step failed: ${label} ${describeExit(exit)}. The log says why.`,
      );
    }
  }
}

/** Moves the site's folder to where the project's account cannot reach it, and checks it there. */
async function takeSite(deps: EngineDeps, options: BuildOptions, source: SiteSource): Promise<Serve> {
  const { folders, account } = options;
  const candidates = source.folders.map((name) => join(folders.app, name));
  const found: string[] = [];
  for (const candidate of candidates) if (await hasIndex(candidate)) found.push(candidate);
  const [output] = found;
  if (!output) {
    throw new StepFailure(
      'build',
      `The build step made no site: there is no index.html in ${source.folders.join(', ')}.`,
    );
  }
  await rename(output, folders.site);
  try {
    await sealSite(folders.site, { account, maxFiles: deps.limits.siteFiles });
  } catch (error) {
    if (!(error instanceof UnservableSite)) throw error;
    throw new StepFailure('build', `The site cannot be served: ${error.message}.`);
  }
  const pages = await rootPages(folders.site);
  return { kind: 'static', singlePage: source.built && pages.length === 1 };
}

/** Frees what only the build needed: its home and temporary files, a large cache, a site's sources. */
async function cleanUp(deps: EngineDeps, { job, folders, account }: BuildOptions): Promise<void> {
  await Promise.all([folders.home, folders.tmp].map(removeTree));
  const isSite = await hasIndex(folders.site);
  if (isSite) await removeTree(folders.app);
  const cache = cacheFolder(deps.root, job.projectId);
  if ((await folderSize([cache])) > deps.limits.cacheBytes) {
    await removeTree(cache);
    await makePrivate(cache, account);
  }
}
