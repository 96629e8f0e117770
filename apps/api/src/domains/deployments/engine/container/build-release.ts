import { join } from 'node:path';
import { removeTree } from '@nephos/db';
import { type PlannedProcess, WEB } from '../detect/plan.ts';
import { typedProcess } from '../detect/procfile.ts';
import { makePassage, projectFolder, releasesFolder } from '../folders.ts';
import { runProcesses } from '../instances/run-processes.ts';
import type { BuildOptions, Release } from '../runtime.ts';
import type { BuildParts } from '../source/clone.ts';
import { StepFailure } from '../step-failure.ts';
import { buildImage } from './build/build-image.ts';
import type { Builders } from './builders/builders.ts';
import type { ContainerParts } from './container-parts.ts';
import type { ContainerServe } from './images.ts';
import { pullImage } from './pull-image.ts';
import { runInContainer } from './run-in-container.ts';

export interface ContainerBuildParts {
  containers: ContainerParts;
  builders: Builders;
  /** With which sources are fetched. */
  sources: BuildParts;
}

/** Pulls or builds a release's image, and runs its release command. Throws `StepFailure`, or the signal's reason. */
export async function buildContainerRelease(
  { containers, builders, sources }: ContainerBuildParts,
  options: BuildOptions,
): Promise<Release> {
  const { image } = options.job;
  const reason = containers.daemon.reason();
  const away = (why: string) => new StepFailure(image ? 'pull' : 'clone', why);
  if (reason !== '') throw away(reason);
  await containers.met().catch(() => {
    throw away(containers.daemon.away);
  });
  const { release, command } = image
    ? await pullRelease({ containers, sources }, options)
    : await buildImage({ ...sources, builders, daemon: containers.daemon }, options);
  if (command) await runReleaseCommand(containers, release, command);
  return release;
}

interface Built {
  release: Release;
  /** Runs once, before the new version starts. */
  command: PlannedProcess | undefined;
}

async function pullRelease(
  { containers, sources }: Omit<ContainerBuildParts, 'builders'>,
  options: BuildOptions,
): Promise<Built> {
  const { job, folders } = options;
  const { image: source, settings } = job;
  if (!source) throw new Error('there is no image to pull');
  await makeReleaseFolder(sources.root, options);
  const { image, pinned } = await pullImage({ ...sources, daemon: containers.daemon }, options, source);
  const label = image.command.join(' ');
  if (label === '' && settings.startCommand === '')
    throw new StepFailure(
      'pull',
      'The image has no command to start. Enter a start command in the settings.',
    );
  const web: PlannedProcess = { name: WEB, argv: [], expand: false, label: label || settings.startCommand };
  const serve: ContainerServe = {
    kind: 'container',
    image: pinned,
    processes: [web],
    port: image.port,
  };
  await job.onProgress({ imageDigest: pinned.slice(pinned.indexOf('@') + 1) });
  await job.onProgress({ detected: detectedOf(job, serve) });
  const line = settings.releaseCommand;
  return {
    release: { options: { ...options, folders }, serve },
    command: line === '' ? undefined : typedProcess('release', line, ''),
  };
}

/** It holds no more than what says how the image is run. */
async function makeReleaseFolder(root: string, { job, folders }: BuildOptions): Promise<void> {
  await removeTree(folders.release);
  const { projectId } = job;
  for (const folder of [
    join(root, 'projects'),
    projectFolder(root, projectId),
    releasesFolder(root, projectId),
  ])
    await makePassage(folder);
  await makePassage(folders.release);
}

function detectedOf({ settings }: BuildOptions['job'], serve: ContainerServe) {
  const processes = [...serve.processes, ...settings.processes.filter(({ name }) => name !== WEB)];
  return {
    ...{ framework: 'Image', runtime: null, packageManager: null, installCommand: '', buildCommand: '' },
    ...{ releaseCommand: '', outputDirectory: '', port: null },
    processes: processes.map((process) => ({
      name: process.name,
      command: 'label' in process ? process.label : process.command,
    })),
  };
}

/** As the app's `web` would run, with its disks, while the version before still serves. */
async function runReleaseCommand(
  parts: ContainerParts,
  { options, serve }: Release,
  { argv, label }: PlannedProcess,
): Promise<void> {
  const { job, folders, account, log, signal } = options;
  if (serve.kind !== 'container') return;
  await job.onProgress({ step: 'release' });
  log.system(`Running the release command: ${label}`);
  const [web] = runProcesses(serve, job, parts.limits);
  if (!web) return;
  const end = await runInContainer(
    parts,
    { app: job, folders, serve, account, limits: web.limits },
    { argv, timeLimit: parts.limits.buildTime, log, signal },
  );
  signal.throwIfAborted();
  if (end.status === 'succeeded') return;
  const why = 'error' in end ? end.error.replace(/^The command/, 'it') : 'it was cancelled.';
  throw new StepFailure('release', `The release command failed: ${label}: ${why} See the log for details.`);
}
