import type { DeploymentStep } from '@nephos/contracts';
import type { DeploymentJob, DeploymentOutcome, LogWriter, Progress } from '../engine.ts';
import { releaseFolders } from '../folders.ts';
import { accountOf } from '../process/account.ts';
import { pruneReleases, readManifest, removeRelease, writeManifest } from '../release/releases.ts';
import type { BuildOptions, Release, Runtime } from '../runtime.ts';
import type { LiveApp } from '../serve/live-app.ts';
import type { ServeParts } from '../serve/process-app.ts';
import { StepFailure } from '../step-failure.ts';
import { keepDisks } from './keep-disks.ts';
import type { Retirements } from './retirements.ts';
import { startRelease } from './start-release.ts';

/** What the engine works with. */
export interface EngineParts extends ServeParts {
  runtime: Runtime;
  /** Names this installation, over its restarts. */
  instance: string;
  /** Holds a folder per project. */
  root: string;
  retirements: Retirements;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** Whether an app, a command or a terminal runs in a release, or is about to. */
  isUsed: (release: string) => boolean;
  /** Ends a project's commands and terminals, and lets none begin until the answer is disposed of. */
  holdCommands: (projectId: string) => Promise<Disposable>;
}

/** A run is over because its signal was aborted with this: the server stops. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Takes a deployment from its repository, or from a kept release, to where requests go to it. The version that ran
 * before serves until then, and after any failure. Never rejects.
 */
export async function rollOut(
  parts: EngineParts,
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
  const folders = releaseFolders(parts.root, job.projectId, job.rollbackOf ?? job.deploymentId);
  const run: BuildOptions = {
    job: tracked,
    log,
    signal,
    folders,
    account: accountOf(job.account, parts.instance),
  };
  try {
    const release = await (job.rollbackOf ? keptRelease(parts, run) : parts.runtime.build(run));
    await inPlaceOf(parts, run, async () => {
      await keepDisks(parts, run, async () => {
        const app = await start(parts, release);
        await switchTo(parts, release, app);
      });
    });
    return { status: 'running' };
  } catch (error) {
    await abandon(parts, run).catch((fault) =>
      parts.log.error({ err: fault }, 'leftovers of a failed deployment'),
    );
    return outcomeOf(parts, run, { error, step });
  }
}

/** Lets the running version end first where the new one cannot run beside it, and start again where that fails. */
async function inPlaceOf(
  { routes, limits, stopping }: EngineParts,
  { job, log, signal }: BuildOptions,
  work: () => Promise<void>,
): Promise<void> {
  const former = routes.byProject(job.projectId);
  const reason = former?.whyAlone();
  if (!former || !reason) return work();
  log.system(`${reason}, so the running version stops before the new one starts.`);
  await former.suspend(limits.drainTime);
  try {
    await work();
  } catch (error) {
    const isStopped = routes.byProject(job.projectId) !== former;
    if (!isStopped && !(signal.reason instanceof Interrupted)) {
      log.system('The version before is started again.');
      // Whoever hears of the failure finds the app up again.
      await former.resume(AbortSignal.any([stopping, AbortSignal.timeout(limits.listenTime)]));
    }
    throw error;
  }
}

const OTHER_RUNTIME = 'This release was built for another setting of DEPLOY_RUNTIME. Deploy again instead.';

async function keptRelease({ live, runtime }: EngineParts, options: BuildOptions): Promise<Release> {
  const { job, folders } = options;
  const serve = await readManifest(folders.manifest);
  if (serve && runtime.canStart(serve)) return { options, serve };
  if (serve) throw new StepFailure('start', OTHER_RUNTIME);
  // What is not there any more must not be offered again.
  await live.releasesRemoved([job.rollbackOf ?? job.deploymentId]);
  throw new StepFailure('start', 'This release is no longer kept. Deploy again instead.');
}

async function start(parts: EngineParts, { options: run, serve }: Release): Promise<LiveApp> {
  const { job, signal } = run;
  await job.onProgress({ status: 'deploying', step: 'start' });
  if (serve.kind !== 'static') await parts.runtime.prepare({ ...run, app: job, serve });
  const app = await startRelease(
    parts,
    { ...run, app: job, serve },
    { signal, onListening: () => job.onProgress({ step: 'health' }) },
  );
  const port = app.ownPort();
  if (port !== null) await job.onProgress({ port });
  return app;
}

async function switchTo(
  parts: EngineParts,
  { options: { job, log, signal, folders }, serve, build }: Release,
  app: LiveApp,
): Promise<void> {
  try {
    await job.onProgress({ step: 'switch' });
    signal.throwIfAborted();
    // Only what has answered is worth rolling back to, so a release counts as complete from here on.
    if (job.rollbackOf === null) {
      await writeManifest(folders.manifest, serve, build);
      await job.onProgress({ releaseKept: true });
    }
    await job.onSwitch();
  } catch (error) {
    // The log goes on: the caller still says how it ended.
    await app.stop({ drain: 0, keepLog: true });
    throw error;
  }
  const former = parts.routes.switchTo(app);
  parts.onProcessChange(job.projectId);
  log.system('The new version is live.');
  parts.retirements.begin(former, async () => {
    const { isUsed, limits } = parts;
    const removed = await pruneReleases(parts.root, job.projectId, { keep: limits.keptReleases, isUsed });
    if (removed.length === 0) return;
    await parts.live.releasesRemoved(removed);
    await parts.runtime.forgetReleases(job.projectId, removed);
  });
}

/** Leaves nothing of a deployment that did not come to run. */
async function abandon({ runtime }: EngineParts, { job, folders }: BuildOptions): Promise<void> {
  if (job.rollbackOf !== null) return;
  await removeRelease(folders);
  await runtime.forgetReleases(job.projectId, [job.deploymentId]);
}

function outcomeOf(
  parts: EngineParts,
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
  parts.log.error({ err: error, deploymentId: job.deploymentId }, 'a deployment failed by a fault of ours');
  const message = 'The deployment failed because of an internal server error. Deploy again.';
  log.system(message);
  return { status: 'failed', step, error: message };
}
