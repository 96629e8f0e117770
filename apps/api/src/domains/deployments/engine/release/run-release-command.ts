import { expandWord } from '../detect/command-line.ts';
import { type PlannedProcess, WEB } from '../detect/plan.ts';
import { cacheFolder } from '../folders.ts';
import { describeExit } from '../instances/exit.ts';
import { largestFile, placeDisks } from '../process/disks.ts';
import { appEnvironment } from '../process/environment.ts';
import { Breach, guard } from '../process/guard.ts';
import { prepareDisks } from '../process/prepare-disks.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runCommand } from '../process/run-command.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';

const MB = 1024 ** 2;

/**
 * Runs the release command once, as the app's `web` would run, with its disks: after the build, while the version before
 * still serves. Its failure fails the deployment. Throws `StepFailure`, or the signal's reason.
 */
export async function runReleaseCommand(
  parts: ProcessParts,
  { job, folders, account, log, signal }: BuildOptions,
  { argv, expand, label }: PlannedProcess,
): Promise<void> {
  await job.onProgress({ step: 'release' });
  log.system(`Running the release command: ${label}`);
  const { buildTime: time, appBytes: bytes, sampleTime } = parts.limits;
  const { memory, processes } = limitsOf(parts, job);
  await prepareDisks(parts, { app: job, folders, account, log });
  const mounts = placeDisks(parts, job);
  const limits = { memory: memory / MB, cpu: null, tasks: processes };
  await using run = await parts.runs.open(account, { folders, mounts, limits });
  const disk = { folders: [folders.release, cacheFolder(parts.root, job.projectId)], bytes, rest: 0 };
  using bounds = guard(run, { time, memory, processes, disk }, sampleTime);
  const env = appEnvironment(parts, { app: job, folders, port: undefined });
  const words = expand ? argv.map((word) => expandWord(word, env)) : argv;
  const exit = await runCommand(
    parts,
    { argv: words, folder: folders.app, env, run, maxFileBytes: largestFile(parts, job) },
    { log, signal: AbortSignal.any([signal, bounds.signal]) },
  ).catch((error: unknown) => {
    if (!(error instanceof Breach)) throw error;
    throw new StepFailure('release', `The release command was stopped because ${error.message}.`);
  });
  if (exit.code === 0) return;
  throw new StepFailure(
    'release',
    `The release command failed: ${label} ${describeExit(exit)}. See the log for details.`,
  );
}

/** Of memory, bytes; of processes, how many at once. */
function limitsOf({ limits }: ProcessParts, { settings }: BuildOptions['job']) {
  const { memory, tasks } = settings.processes.find(({ name }) => name === WEB) ?? {};
  return { memory: memory ? memory * MB : limits.appMemory, processes: tasks ?? limits.processes };
}
