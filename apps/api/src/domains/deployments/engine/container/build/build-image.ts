import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@nephos/db';
import type Docker from 'dockerode';
import { byteSize } from '../../../../../platform/byte-size.ts';
import { duration } from '../../../../../platform/duration.ts';
import type { PlannedProcess, Serve } from '../../detect/plan.ts';
import { describeExit } from '../../instances/exit.ts';
import { searchPath } from '../../process/toolchain.ts';
import type { Build } from '../../release/releases.ts';
import { boundsOf, sealSite } from '../../release/seal-site.ts';
import type { BuildOptions, Release } from '../../runtime.ts';
import { fetchSource, prepareFolders } from '../../source/fetch-source.ts';
import { StepFailure } from '../../step-failure.ts';
import type { Daemon } from '../daemon.ts';
import { findImage, type Image, keepImage, removeImage } from '../images.ts';
import { LABELS, projectLabels } from '../names.ts';
import { watchBuild } from './build-failure.ts';
import { type BuildPlace, openBuildPlace } from './build-place.ts';
import { type BuildCall, type CallOptions, prepareCall, type Recipe } from './build-recipe.ts';
import { type BuildTask, planTask } from './build-task.ts';
import { copySiteOut } from './copy-site-out.ts';
import { findDocker, runDocker } from './docker-command.ts';
import type { ImageBuildParts } from './image-parts.ts';
import { pushImage } from './push-image.ts';
import { findSameImage, imageKey } from './same-image.ts';

const MB = 1024 ** 2;

export interface BuiltRelease {
  release: Release;
  /** Runs once, before the new version starts. */
  command: PlannedProcess | undefined;
}

/**
 * Makes an image from the newest commit, or from a template, and stores it in our registry; of a site, only the files.
 * Or finds the release that a build would only make again. Throws `StepFailure`, or the signal's reason.
 */
export async function buildImage(parts: ImageBuildParts, options: BuildOptions): Promise<BuiltRelease> {
  const { job, folders } = options;
  await job.onProgress({ status: 'building', step: 'clone' });
  await prepareFolders(parts, options);
  // Nobody but us gets in, so that what is built is what was looked at.
  const place = join(folders.release, 'build');
  await mkdir(place, { mode: 0o700 });
  try {
    const commit = await fetchInRun(parts, options);
    const task = await planTask(parts, options);
    const key = commit && imageKey(options, commit, task);
    const same = key && (await findSameImage(parts, options, key));
    if (same) return { release: same, command: task.command };
    const { serve, content } = await serveOf(parts, options, { task, place });
    const build: Build | undefined = key ? { key, content } : undefined;
    return { release: { options, serve, build }, command: task.command };
  } finally {
    await Promise.all([place, folders.app, folders.home, folders.tmp].map(removeTree));
  }
}

/** git runs as the project's account; nothing of it is left afterwards. */
async function fetchInRun(parts: ImageBuildParts, options: BuildOptions): Promise<string | undefined> {
  const { buildMemory, threads: tasks } = parts.limits;
  await using run = await parts.runs.open(options.account, {
    folders: options.folders,
    mounts: [],
    limits: { memory: buildMemory / MB, cpu: null, tasks },
  });
  return await fetchSource(parts, { ...options, run });
}

/** `content` is what tells later whether the release is still as it was built. */
async function serveOf(
  parts: ImageBuildParts,
  options: BuildOptions,
  { task, place }: { task: BuildTask; place: string },
): Promise<{ serve: Serve; content: string }> {
  const { folders, signal } = options;
  const { limits, daemon } = parts;
  if (!task.recipe) return { serve: await sealSite(parts, options, task.site), content: '' };
  using builder = await openBuildPlace(parts, options, task.recipe.dockerfile);
  const image = await build(parts, options, { recipe: task.recipe, place, builder });
  let kept: Image | undefined;
  try {
    await task.describe?.(image);
    if (task.site) {
      const bounds = { site: folders.site, signal, ...boundsOf(limits) };
      // An image of a web server has the files somewhere below its root.
      const from = { image: image.id, roots: [...new Set([image.folder, '/'])] };
      return { serve: await copySiteOut(builder.docker, task.site, { ...bounds, ...from }), content: '' };
    }
    kept = await builder.bring(image);
    await store(parts, options, kept);
    const { id, port } = kept;
    return { serve: { kind: 'container', image: id, processes: task.processes, port }, content: id };
  } catch (error) {
    await discard(builder.docker, image);
    if (kept) await discard(daemon.docker, kept);
    throw error;
  } finally {
    if (task.site) await discard(builder.docker, image);
  }
}

/** Deletes images that were built and not yet kept: left by a server that was killed. */
export async function sweepBuilds({ docker }: Daemon, instance: string): Promise<void> {
  const filters = { dangling: ['true'], label: [`${LABELS.instance}=${instance}`] };
  for (const { Id } of await docker.listImages({ filters })) await removeImage(docker, Id);
}

/** Its label makes it this deployment's alone, so nobody else has it. */
async function discard(docker: Docker, { id }: Image): Promise<void> {
  await docker
    .getImage(id)
    .remove({ force: true })
    .catch(() => {});
}

async function build(
  parts: ImageBuildParts,
  options: BuildOptions,
  { recipe, place, builder }: { recipe: Recipe; place: string; builder: BuildPlace },
): Promise<Image> {
  const { job, log, signal } = options;
  await job.onProgress({ step: 'build' });
  const command = await findDocker(searchPath(parts.settings.hostEnvironment));
  if ('reason' in command) throw new StepFailure('build', `Build failed: ${command.reason}`);
  const labels = { ...projectLabels(parts.instance, job.projectId), [LABELS.deployment]: job.deploymentId };
  const call = { recipe, place, labels, dockerHost: builder.host, hosts: builder.hosts };
  const run = async (given: CallOptions) =>
    attempt(parts, options, {
      program: command.program,
      builder,
      ...(await prepareCall(parts, options, given)),
    });
  const first = await run(call);
  let failed = first.failed;
  const missing = failed?.missingImage();
  const syntax = missing?.startsWith(FRONTEND) && SYNTAX.test(recipe.dockerfile) ? missing : undefined;
  if (syntax) {
    log.system("The Dockerfile's syntax image could not be had. Building with the one that Docker has.");
    const plain = { ...recipe, dockerfile: recipe.dockerfile.replace(SYNTAX, '#') };
    failed = (await run({ ...call, recipe: plain })).failed;
  }
  if (failed) {
    await parts.daemon.answering(AbortSignal.any([signal, AbortSignal.timeout(AWAY_MS)])).catch(() => {
      throw new StepFailure('build', `Build failed: ${parts.daemon.reason()}`);
    });
    const ended = await builder.whyEnded();
    const memory = builder.memoryUsedUp();
    const cause = ended ?? failed.cause(parts.settings.baseImages, { syntax, memory });
    throw new StepFailure('build', `Build failed: ${cause}. See the log for details.`);
  }
  return checked(parts, builder, await readFile(first.idFile, 'utf8'));
}

const AWAY_MS = 2000;
/** The first line of a Dockerfile may name an image that reads the rest; Docker has one of its own for the usual. */
const SYNTAX = /^\s*#\s*syntax\s*=\s*docker\/dockerfile:\S*/i;
const FRONTEND = 'docker/dockerfile';

async function attempt(
  { limits: { buildTime } }: ImageBuildParts,
  { log, signal }: BuildOptions,
  { program, builder, args, env, folder, idFile }: BuildCall & { program: string; builder: BuildPlace },
) {
  const output = watchBuild();
  const timeout = AbortSignal.timeout(buildTime);
  const listen = (text: string) => {
    output.add(text);
    log.write('stdout', text);
  };
  const exit = await runDocker({
    ...{ program, args, env, folder, listen },
    signal: AbortSignal.any([signal, timeout, builder.signal]),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    const { aborted, reason } = builder.signal;
    if (aborted) throw new StepFailure('build', `Build failed: it was stopped because ${reason.message}.`);
    if (!timeout.aborted) throw error;
    throw new StepFailure(
      'build',
      `Build failed: it was stopped because it took more than ${duration(buildTime)}.`,
    );
  });
  if (exit.signal) throw new StepFailure('build', `Build failed: docker ${describeExit(exit)}.`);
  return { idFile, failed: exit.code === 0 ? undefined : output };
}

async function checked(
  { daemon, limits }: ImageBuildParts,
  { docker }: BuildPlace,
  id: string,
): Promise<Image> {
  const image = await findImage(docker, id.trim());
  if (!image) throw new StepFailure('build', 'Build failed: the image was deleted before it could be used.');
  const fault =
    image.size > limits.buildBytes
      ? `the image is larger than ${byteSize(limits.buildBytes)}`
      : image.architecture !== daemon.architecture()
        ? `the image is for ${image.architecture}, and this server's processor is ${daemon.architecture()}`
        : undefined;
  if (!fault) return image;
  await discard(docker, image);
  throw new StepFailure('build', `Build failed: ${fault}.`);
}

async function store(
  parts: ImageBuildParts,
  { job, log, signal }: BuildOptions,
  { id, size }: Image,
): Promise<void> {
  await keepImage(parts.daemon, { projectId: job.projectId, release: job.deploymentId, id });
  const target = await job.imageTarget();
  log.system(`Storing the image (${byteSize(size)}) as ${target.reference}.`);
  await job.onProgress({ imageDigest: await pushImage(parts.daemon.docker, id, { target, signal }) });
}
