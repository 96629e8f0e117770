import type Docker from 'dockerode';
import { byteSize } from '../../../../../platform/byte-size.ts';
import type { BuildOptions } from '../../runtime.ts';
import { StepFailure } from '../../step-failure.ts';
import { type BuilderWatch, watchBuilder } from '../builders/builder-watch.ts';
import type { UsedBuilder } from '../builders/builders.ts';
import { copyImage } from '../builders/copy-image.ts';
import { findImage, type Image } from '../images.ts';
import { MACHINE, MACHINE_OF_BUILDS } from '../project-networks.ts';
import { handOverImages } from './hand-over-images.ts';
import type { ImageBuildParts } from './image-parts.ts';

/** The daemon that an image is built by. */
export interface BuildPlace extends Disposable {
  docker: Docker;
  /** As `DOCKER_HOST` has it. */
  host: string;
  /** Names that stand for this machine in steps, with addresses. */
  hosts: Readonly<Record<string, string>>;
  /** Aborts with a reason that completes a sentence where the build uses more than it may. */
  signal: AbortSignal;
  /** Why a build that failed was ended, to complete a sentence; undefined where it ended by itself. */
  whyEnded(): Promise<string | undefined>;
  /** Bytes of memory that the build has, where those were used up. */
  memoryUsedUp(): number | undefined;
  /** Has the daemon of this machine have an image that was built, and nobody else. Throws `StepFailure`. */
  bring(image: Image): Promise<Image>;
}

/**
 * Where a deployment's image is built: in its project's builder, or where none can be had and whoever asks is trusted, by
 * the daemon of this machine. Throws `StepFailure`, or the signal's reason.
 */
export async function openBuildPlace(
  parts: ImageBuildParts,
  { job, log, signal }: Pick<BuildOptions, 'job' | 'log' | 'signal'>,
  dockerfile: string,
): Promise<BuildPlace> {
  const { builders, daemon, settings } = parts;
  if (!builders.areKnown()) log.system('Waiting until this server has prepared what builds run in.');
  await builders.known(signal);
  const reason = builders.reason();
  if (reason !== '') {
    if (job.buildsApart) {
      throw new StepFailure('build', `Build failed: this server can't keep builds apart now. ${reason}`);
    }
    return onThisMachine(parts);
  }
  const builder = await builders.use(job.projectId, signal).catch((error) => {
    signal.throwIfAborted();
    throw failed(`its builder could not be started (${textOf(error)})`);
  });
  try {
    await handOverImages(
      { from: daemon.docker, to: builder.docker },
      { dockerfile, images: settings.baseImages, log, signal },
    );
    return inBuilder(parts, builder, signal);
  } catch (error) {
    builder[Symbol.dispose]();
    signal.throwIfAborted();
    throw error instanceof StepFailure ? error : failed(`its base image is out of reach (${textOf(error)})`);
  }
}

function onThisMachine({ daemon, settings }: ImageBuildParts): BuildPlace {
  return {
    docker: daemon.docker,
    host: settings.dockerHost,
    hosts: {},
    signal: new AbortController().signal,
    whyEnded: async () => undefined,
    memoryUsedUp: () => undefined,
    bring: async (image) => image,
    [Symbol.dispose]() {},
  };
}

function inBuilder(
  { daemon, limits }: ImageBuildParts,
  builder: UsedBuilder,
  signal: AbortSignal,
): BuildPlace {
  const { buildMemory, buildBytes, cacheBytes } = limits;
  const watch: BuilderWatch = watchBuilder(daemon.docker, builder.container, limits);
  const memoryUsedUp = () => (watch.ranOutOfMemory() ? buildMemory : undefined);
  return {
    docker: builder.docker,
    host: builder.host,
    hosts: { [MACHINE]: MACHINE_OF_BUILDS },
    signal: watch.signal,
    memoryUsedUp,
    async whyEnded() {
      if (await builder.isUp()) return undefined;
      const memory = memoryUsedUp();
      return memory === undefined ? 'its builder was stopped' : `it ran out of memory (${byteSize(memory)})`;
    },
    async bring({ id }) {
      try {
        const brought = await copyImage({ from: builder.docker, to: daemon.docker }, id, signal);
        const image = await findImage(daemon.docker, brought);
        if (!image) throw new Error('it is not there');
        return image;
      } catch (error) {
        signal.throwIfAborted();
        throw failed(`Docker could not take its image over (${textOf(error)})`);
      } finally {
        await builder.docker
          .getImage(id)
          .remove({ force: true })
          .catch(() => {});
      }
    },
    [Symbol.dispose]() {
      // What the builder keeps of images that are used no more goes with everything else.
      const isTooMuch = watch.signal.aborted || watch.used() > buildBytes + cacheBytes;
      if (isTooMuch || cacheBytes === 0) builder.drop();
      watch[Symbol.dispose]();
      builder[Symbol.dispose]();
    },
  };
}

function failed(why: string): StepFailure {
  return new StepFailure('build', `Build failed: ${why}.`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.trim().replace(/\.$/, '') : String(error);
}
