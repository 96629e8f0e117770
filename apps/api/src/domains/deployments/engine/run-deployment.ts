import type { DeploymentStep } from '@nephos/contracts';
import type { BuildOptions } from './build/build-options.ts';
import { buildRelease } from './build/build-release.ts';
import { readManifest, writeManifest } from './build/release-manifest.ts';
import { pruneReleases, removeRelease } from './build/releases.ts';
import type { Serve } from './detect/plan.ts';
import type { EngineDeps } from './engine-deps.ts';
import { releaseFolders } from './folders.ts';
import { accountOf } from './process/account.ts';
import type { DeploymentJob, DeploymentOutcome, LogWriter, Progress } from './seams.ts';
import type { LiveApp } from './serve/live-app.ts';
import { startRelease } from './start-release.ts';
import { StepFailure } from './step-failure.ts';

/** A run is over because its signal was aborted with this: the server stops. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Takes a deployment from its repository, or from a kept release, to where requests go to it. The version that ran
 * before serves until then, and after any failure. Never rejects.
 */
export async function runDeployment(
  deps: EngineDeps,
  job: DeploymentJob,
  log: LogWriter,
  signal: AbortSignal,
): Promise<DeploymentOutcome> {
  let step: DeploymentStep = 'clone';
  const tracked: DeploymentJob = {
    ...job,
    onProgress: (progress: Progress) => {
      step = progress.step ?? step;
      return job.onProgress(progress);
    },
    onSwitch: () => job.onSwitch(),
  };
  const folders = releaseFolders(deps.root, job.projectId, job.rollbackOf ?? job.deploymentId);
  const run: BuildOptions = {
    job: tracked,
    log,
    signal,
    folders,
    account: accountOf(job.account, deps.instance),
  };
  try {
    const serve = await (job.rollbackOf ? keptRelease(run) : buildRelease(deps, run));
    const app = await start(deps, run, serve);
    await switchTo(deps, run, { app, serve });
    return { status: 'running' };
  } catch (error) {
    await abandon(run).catch((fault) => deps.log.error({ err: fault }, 'leftovers of a failed deployment'));
    return outcomeOf(deps, run, { error, step });
  }
}

async function keptRelease({ folders }: BuildOptions): Promise<Serve> {
  const serve = await readManifest(folders.manifest);
  if (!serve) throw new StepFailure('start', 'The start step failed: this release is no longer kept.');
  return serve;
}

async function start(deps: EngineDeps, run: BuildOptions, serve: Serve): Promise<LiveApp> {
  const { job, log, signal } = run;
  await job.onProgress({ status: 'deploying', step: 'start' });
  log.system(serve.kind === 'process' ? `Starting ${serve.label}` : 'Serving the site.');
  return startRelease(
    deps,
    { ...run, app: job, serve },
    { signal, onListening: () => job.onProgress({ step: 'health' }) },
  );
}

async function switchTo(
  deps: EngineDeps,
  { job, log, signal, folders }: BuildOptions,
  { app, serve }: { app: LiveApp; serve: Serve },
): Promise<void> {
  try {
    await job.onProgress({ step: 'switch' });
    signal.throwIfAborted();
    // Only what has answered is worth rolling back to, so a release counts as complete from here on.
    if (job.rollbackOf === null) {
      await writeManifest(folders.manifest, serve);
      await job.onProgress({ releaseKept: true });
    }
    await job.onSwitch();
  } catch (error) {
    // The log goes on: the caller still says how it ended.
    await app.stop({ drain: 0, grace: deps.limits.killTime, keepLog: true });
    throw error;
  }
  const former = deps.routes.switchTo(app);
  log.system('The new version answers.');
  deps.retire(former, async () => {
    const keep = { keep: deps.limits.keptReleases, live: job.rollbackOf ?? job.deploymentId };
    const removed = await pruneReleases(deps.root, job.projectId, keep);
    if (removed.length > 0) await deps.live.releasesRemoved(removed);
  });
}

/** Leaves nothing of a deployment that did not come to run. */
async function abandon({ job, folders }: BuildOptions): Promise<void> {
  if (job.rollbackOf === null) await removeRelease(folders);
}

function outcomeOf(
  deps: EngineDeps,
  { job, log, signal }: BuildOptions,
  { error, step }: { error: unknown; step: DeploymentStep },
): DeploymentOutcome {
  if (signal.aborted) {
    return { status: signal.reason instanceof Interrupted ? 'interrupted' : 'cancelled' };
  }
  if (error instanceof StepFailure) {
    log.system(error.message);
    return { status: 'failed', step: error.step, error: error.message };
  }
  deps.log.error({ err: error, deploymentId: job.deploymentId }, 'a deployment failed by a fault of ours');
  const message = `The ${step} step failed: the server had an internal fault.`;
  log.system(message);
  return { status: 'failed', step, error: message };
}
