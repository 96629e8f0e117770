import type { Plan, PlannedCommand } from '../detect/plan.ts';
import { cacheFolder, makePrivate } from '../folders.ts';
import type { BuildOptions, RunningBuild } from '../process/build-options.ts';
import { buildEnvironment } from '../process/environment.ts';
import { Breach, guard } from '../process/guard.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { describeExit, runCommand } from '../process/run-command.ts';
import { StepFailure } from '../step-failure.ts';

/** Installs and builds within the limits. Throws `StepFailure`, or the signal's reason. */
export async function runPlan(parts: ProcessParts, options: RunningBuild, plan: Plan): Promise<void> {
  const { job, folders, run, signal } = options;
  const { buildTime: time, buildBytes: bytes, buildMemory: memory, processes, sampleTime } = parts.limits;
  using bounds = guard(
    run,
    {
      time,
      memory,
      processes,
      disk: { folders: [folders.release, cacheFolder(parts.root, job.projectId)], bytes, rest: 0 },
    },
    sampleTime,
  );
  const bounded = { ...options, signal: AbortSignal.any([signal, bounds.signal]) };
  const environment =
    job.framework === 'python' ? [await makeVenv(parts, options, plan.install.length > 0)] : [];
  await runStep(parts, bounded, 'install', [...environment, ...plan.install]);
  await runStep(parts, bounded, 'build', plan.build);
}

async function makeVenv(
  parts: ProcessParts,
  { folders, account }: BuildOptions,
  needsPip: boolean,
): Promise<PlannedCommand> {
  await makePrivate(folders.venv, account);
  const argv = [
    parts.toolchain.python.command ?? '',
    '-m',
    'venv',
    ...(needsPip ? [] : ['--without-pip']),
    folders.venv,
  ];
  return { argv, in: 'app', label: 'python -m venv' };
}

const TITLES = { install: 'Install', build: 'Build' } as const;

async function runStep(
  parts: ProcessParts,
  options: RunningBuild,
  step: keyof typeof TITLES,
  commands: readonly PlannedCommand[],
): Promise<void> {
  const { job, folders, run, log, signal } = options;
  if (commands.length === 0) return;
  await job.onProgress({ step });
  const env = await buildEnvironment(parts, {
    app: job,
    folders,
    cache: cacheFolder(parts.root, job.projectId),
  });
  for (const { argv, label, in: place } of commands) {
    log.system(`Running ${label}`);
    const command = {
      argv,
      env,
      run,
      folder: place === 'app' ? folders.app : folders.home,
      maxFileBytes: parts.limits.buildBytes,
    };
    const exit = await runCommand(parts, command, { log, signal }).catch((error: unknown) => {
      if (!(error instanceof Breach)) throw error;
      throw new StepFailure(step, `${TITLES[step]} failed: ${label} was stopped because ${error.message}.`);
    });
    if (exit.code !== 0) {
      throw new StepFailure(
        step,
        `${TITLES[step]} failed: ${label} ${describeExit(exit)}. See the log for details.`,
      );
    }
  }
}
