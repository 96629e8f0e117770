import { posix } from 'node:path';
import type { Detected } from '@nephos/contracts';
import { type PlannedProcess, type SiteSource, WEB } from '../../detect/plan.ts';
import { releaseOf, typedWeb, workersOf } from '../../detect/procfile.ts';
import type { Snapshot } from '../../detect/snapshot.ts';
import { baseImageOf, onDebianImage } from '../../dockerfile/base-image.ts';
import {
  BUILD_STAGE,
  dockerfileSource,
  generateDockerfile,
  isPlainSite,
} from '../../dockerfile/generate-dockerfile.ts';
import { lookAtFolder, planBuild } from '../../release/plan-build.ts';
import type { BuildOptions } from '../../runtime.ts';
import type { Image } from '../images.ts';
import { type Recipe, toolArguments } from './build-recipe.ts';
import type { ImageBuildParts } from './image-parts.ts';
import { findDockerfile, type RepositoryDockerfile } from './repository-dockerfile.ts';

/** What is to be built, and what becomes of it. */
export type BuildTask = {
  /** The first is `web`. */
  processes: readonly [PlannedProcess, ...PlannedProcess[]];
  /** Runs once, before the new version starts. */
  command: PlannedProcess | undefined;
  /** Tells what the image says of itself, where nothing else was detected. */
  describe?: (image: Image) => Promise<void>;
} & (
  | { recipe: Recipe; site: SiteSource | undefined }
  /** Files of the repository that are a site as they are. */
  | { recipe: undefined; site: SiteSource }
);

/** Decides how a repository is built: by its Dockerfile, or by one that is written for what was detected. */
export async function planTask(parts: ImageBuildParts, options: BuildOptions): Promise<BuildTask> {
  const { job, folders, account } = options;
  const snapshot = await lookAtFolder(options);
  const file = await findDockerfile(folders.app, job.settings, account);
  if (!file) return ofFramework(parts, options, snapshot);
  const text = job.recipe ? onDebianImage(file.text, parts.settings.baseImages) : file.text;
  return ofRepository(options, snapshot, { ...file, text });
}

/** What an image runs by itself. */
const OWN_COMMAND: PlannedProcess = { name: WEB, argv: [], expand: false, label: "the image's own command" };

async function ofRepository(
  { job, log }: BuildOptions,
  snapshot: Snapshot,
  { path, text, ignored }: RepositoryDockerfile,
): Promise<BuildTask> {
  const { settings } = job;
  log.system(`Building with ${posix.join(settings.rootDirectory, path)}.`);
  // A Procfile is for machines without containers: the image says what it runs.
  const folder: Snapshot = { ...snapshot, folder: '', texts: {} };
  const web = typedWeb(folder, settings) ?? OWN_COMMAND;
  const isSite = job.framework === 'static' && settings.outputDirectory !== '';
  return {
    processes: [web, ...workersOf(folder, settings)],
    command: releaseOf(folder, settings),
    describe: ({ command }) => job.onProgress({ detected: detectedOf(isSite ? [] : command) }),
    site: isSite ? { folders: [settings.outputDirectory], mayBeSinglePage: true, advice: '' } : undefined,
    recipe: {
      ...{ dockerfile: text, ignored, folder: settings.rootDirectory, target: settings.dockerTarget },
      // Its packages are not pinned: a build is how it gets the fixes that there are by now.
      isFresh: job.recipe !== null,
      buildArgs: Object.fromEntries(settings.buildArgs.map(({ name, value }) => [name, value])),
    },
  };
}

function detectedOf(command: readonly string[]): Detected {
  return {
    framework: 'Dockerfile',
    runtime: null,
    packageManager: null,
    ...{ installCommand: '', buildCommand: '', releaseCommand: '', outputDirectory: '' },
    processes: command.length > 0 ? [{ name: WEB, command: command.join(' ') }] : [],
    port: null,
  };
}

async function ofFramework(
  parts: ImageBuildParts,
  options: BuildOptions,
  snapshot: Snapshot,
): Promise<BuildTask> {
  const { job, log } = options;
  const plan = await planBuild(options, snapshot, { hugo: false, containers: true });
  const images = parts.settings.baseImages;
  const source = dockerfileSource(job, { plan, snapshot, images });
  const shown = generateDockerfile(source);
  await job.onProgress({
    detected: {
      ...plan.detected,
      runtime: isPlainSite(plan) ? null : baseImageOf(job.framework, images, plan),
    },
    dockerfile: shown.text,
  });
  log.system(
    `Detected ${[plan.detected.framework, plan.detected.packageManager].filter(Boolean).join(', ')}.`,
  );
  for (const note of plan.notes) log.system(note);
  const { serve } = plan;
  const isApp = 'kind' in serve;
  const processes: BuildTask['processes'] = isApp ? serve.processes : [OWN_COMMAND];
  const site = isApp ? undefined : serve;
  if (site && isPlainSite(plan)) return { processes, command: plan.release, recipe: undefined, site };
  log.system('The repository has no Dockerfile, so it is built with this one:');
  log.write('stdout', shown.text);
  const buildArgs = await toolArguments(parts, options);
  const { text, ignored } = generateDockerfile({ ...source, toolSettings: Object.keys(buildArgs) });
  return {
    ...{ processes, command: plan.release, site },
    recipe: {
      ...{ dockerfile: text, ignored, folder: '', target: site ? BUILD_STAGE : '', isFresh: false },
      buildArgs,
    },
  };
}
