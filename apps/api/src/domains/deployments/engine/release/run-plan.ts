import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFolder } from '../detect/command-line.ts';
import type { Plan, PlannedCommand } from '../detect/plan.ts';
import { cacheFolder, makePrivate } from '../folders.ts';
import { describeExit } from '../instances/exit.ts';
import { buildEnvironment } from '../process/environment.ts';
import { Breach, guard } from '../process/guard.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runCommand } from '../process/run-command.ts';
import { runQuietly } from '../process/run-quietly.ts';
import type { RunningBuild } from '../process/running-build.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import type { Runtimes } from './bring-programs.ts';
import { explainVersion } from './explain-version.ts';
import { watchOutput } from './failure-cause.ts';
import { type Kept, keptOf } from './kept.ts';

/** Installs and builds within the limits. Throws `StepFailure`, or the signal's reason. */
export async function runPlan(
  parts: ProcessParts,
  options: RunningBuild,
  plan: Plan,
  runtimes: Runtimes,
): Promise<void> {
  const { job, folders, run, signal } = options;
  const {
    buildTime: time,
    buildBytes,
    cacheBytes,
    buildMemory: memory,
    processes,
    sampleTime,
  } = parts.limits;
  const disk = {
    folders: [folders.release, cacheFolder(parts.root, job.projectId)],
    bytes: buildBytes + cacheBytes,
    rest: 0,
  };
  using bounds = guard(run, { time, memory, processes, disk }, sampleTime);
  const bounded = { ...options, signal: AbortSignal.any([signal, bounds.signal]) };
  const kept = keptOf(parts, bounded, plan, runtimes);
  const env = await environmentOf(parts, options, plan);
  const step: Step = (name, commands) => runStep(parts, bounded, { step: name, commands, env });
  if (runtimes.python) {
    const needsPip = plan.install.length > 0 && !(await kept.hasPackages());
    await makeVenv(options, { step, needsPip, command: runtimes.python.command });
  }
  const prepare = () => placeHeaders(parts, bounded, runtimes);
  try {
    await install(step, options, { plan, kept, prepare });
    await kept.restoreCaches();
    try {
      await step('build', plan.build);
    } finally {
      // What a failed build has compiled serves the next one as well.
      if (!bounded.signal.aborted) await kept.saveCaches();
    }
  } catch (error) {
    if (!(error instanceof StepFailure) || bounded.signal.aborted) throw error;
    throw await explainVersion(parts, bounded, plan, { failure: error, node: runtimes.node });
  }
}

type Step = (step: keyof typeof TITLES, commands: readonly PlannedCommand[]) => Promise<void>;

/** Brings kept packages up to date, which takes a moment; without any, or where that fails, installs them. */
async function install(
  step: Step,
  { log }: BuildOptions,
  { plan, kept, prepare }: { plan: Plan; kept: Kept; prepare: () => Promise<void> },
): Promise<void> {
  if (plan.install.length === 0) return;
  if (await kept.restorePackages()) {
    log.system('Using the packages of an earlier deployment: nothing they come from has changed.');
    try {
      return await step('install', plan.kept.refresh ? [plan.kept.refresh] : plan.install);
    } catch (error) {
      if (!(error instanceof StepFailure) || !plan.kept.refresh) throw error;
      log.system('They could not be used. Installing again.');
      await kept.dropPackages();
    }
  }
  await prepare();
  await step('install', plan.install);
  await kept.savePackages();
}

/** Arguments: node-gyp's folder for a version of Node.js, the folder of headers. The number is of node-gyp's own layout. */
const PLACE_HEADERS =
  'mkdir -p -- "$1/include" && ln -sfn -- "$2" "$1/include/node" && printf 11 > "$1/installVersion"';

/** node-gyp downloads headers before it compiles a package, unless it finds them in its cache. */
async function placeHeaders(
  parts: ProcessParts,
  options: RunningBuild,
  { node, headers }: Runtimes,
): Promise<void> {
  if (!node || !headers) return;
  const place = join(cacheFolder(parts.root, options.job.projectId), 'xdg/node-gyp', node);
  await runQuietly(parts, options, ['sh', '-c', PLACE_HEADERS, 'sh', place, headers]);
}

async function environmentOf(
  parts: ProcessParts,
  { job, folders }: BuildOptions,
  { buildEnvironment: own, constraints }: Plan,
): Promise<Record<string, string>> {
  const env = await buildEnvironment(parts, {
    app: job,
    folders,
    cache: cacheFolder(parts.root, job.projectId),
  });
  if (constraints === '') return { ...env, ...own };
  await writeFile(folders.constraints, constraints, { mode: 0o644 });
  return { ...env, ...own, PIP_CONSTRAINT: folders.constraints };
}

/** pip comes with kept packages, and takes longer than all the rest of an environment. */
async function makeVenv(
  { folders, account }: BuildOptions,
  { step, needsPip, command }: { step: Step; needsPip: boolean; command: string },
): Promise<void> {
  await makePrivate(folders.venv, account);
  const withoutPip = needsPip ? [] : ['--without-pip'];
  const argv = [command, '-m', 'venv', ...withoutPip, folders.venv];
  await step('install', [{ argv, folder: '', label: 'python -m venv' }]);
}

const TITLES = { install: 'Install', build: 'Build' } as const;

async function runStep(
  parts: ProcessParts,
  { job, folders, run, log, signal }: RunningBuild,
  {
    step,
    commands,
    env,
  }: { step: keyof typeof TITLES; commands: readonly PlannedCommand[]; env: Record<string, string> },
): Promise<void> {
  if (commands.length === 0) return;
  await job.onProgress({ step });
  const { places: readable } = await parts.toolchain.pipSettings();
  for (const { argv, label, folder } of commands) {
    log.system(`Running ${label}`);
    const command = {
      argv: inFolder(folder, argv),
      env,
      run,
      folder: folders.app,
      maxFileBytes: parts.limits.buildBytes,
      readable,
    };
    const output = watchOutput();
    const write: typeof log.write = (stream, text) => {
      output.add(text);
      log.write(stream, text);
    };
    const exit = await runCommand(parts, command, { log: { write }, signal }).catch((error: unknown) => {
      if (!(error instanceof Breach)) throw error;
      throw new StepFailure(step, `${TITLES[step]} failed: ${label} was stopped because ${error.message}.`);
    });
    if (exit.code !== 0) {
      const cause = output.cause();
      throw new StepFailure(
        step,
        `${TITLES[step]} failed: ${label} ${describeExit(exit)}${cause ? `: ${cause}` : ''}. See the log for details.`,
      );
    }
  }
}
