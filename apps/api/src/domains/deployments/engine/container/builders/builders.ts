import type { Logger } from 'pino';
import { aborted } from '../../instances/exit.ts';
import { isMissing } from '../daemon.ts';
import { removeVolume } from '../disk-volumes.ts';
import { builderName, LABELS } from '../names.ts';
import { makeBuilderImage } from './builder-image.ts';
import { type BuilderParts, type OpenBuilder, openBuilder } from './open-builder.ts';

/** A builder while a build uses it; disposing of it lets it go on for a while, for the project's next one. */
export interface UsedBuilder extends Omit<OpenBuilder, 'close'>, Disposable {
  /** Has it ended, and what it keeps dropped, once nothing uses it. */
  drop(): void;
}

/**
 * What projects are built in: a daemon of its own for each, in a network of its own, with a cache of its own. So what a
 * build starts or fetches is held by the limits of one container, and by the rules for networks of ours.
 */
export interface Builders {
  /**
   * Tries one out, after removing what an earlier server left, and again later where that failed. `noFirewall` says why
   * none can be apart, or is ''. Never rejects.
   */
  start(noFirewall: string): Promise<void>;
  /** Why there are none, as a sentence; '' where there are. */
  reason(): string;
  /** Whether `start` has found out. */
  areKnown(): boolean;
  /** Resolves when it has; rejects with the signal's reason. */
  known(signal: AbortSignal): Promise<void>;
  /** Throws the signal's reason, or an error whose message completes a sentence. */
  use(projectId: string, signal: AbortSignal): Promise<UsedBuilder>;
  /** Removes all that a project was built in. */
  remove(projectId: string): Promise<void>;
  close(): Promise<void>;
}

interface Kept {
  opening: Promise<OpenBuilder>;
  users: number;
  idle?: NodeJS.Timeout | undefined;
  isToDrop: boolean;
}

const LOOKING = 'Nephos is still preparing them.';
/** Milliseconds that making the image may take, which is once. */
const IMAGE_MS = 10 * 60_000;
/** Milliseconds until what failed is tried again: a registry may have been away. */
const AGAIN_MS = 60 * 60_000;

export function createBuilders(parts: BuilderParts & { log: Logger }): Builders {
  const { daemon, limits, log, settings } = parts;
  const kept = new Map<string, Kept>();
  const ending = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const settled = Promise.withResolvers<void>();
  let why = LOOKING;
  let again: NodeJS.Timeout | undefined;
  let trial = Promise.resolve();

  const end = (projectId: string, { opening, isToDrop, idle }: Kept): Promise<void> => {
    clearTimeout(idle);
    kept.delete(projectId);
    const ended = opening
      .then((builder) => builder.close())
      .then(() => (isToDrop ? dropVolume(projectId) : undefined))
      .catch((error) => log.warn({ err: error, projectId }, 'a builder is left to the next start'))
      .finally(() => ending.get(projectId) === ended && ending.delete(projectId));
    ending.set(projectId, ended);
    return ended;
  };
  const dropVolume = (projectId: string) => removeVolume(parts, builderName(projectId));

  /** It is made again where somebody removed it. */
  const imageOf = (signal: AbortSignal) =>
    makeBuilderImage(daemon.docker, { settings, memory: limits.buildMemory, signal });

  const open = async (projectId: string, signal: AbortSignal): Promise<Kept> => {
    const known = kept.get(projectId);
    const isUp = await known?.opening.then(
      (builder) => builder.isUp(),
      () => false,
    );
    if (known && isUp && kept.get(projectId) === known) return known;
    if (known && kept.get(projectId) === known) await end(projectId, known);
    await ending.get(projectId);
    const both = AbortSignal.any([signal, closing.signal]);
    const opening = imageOf(both).then((image) => openBuilder(parts, { projectId, image, signal: both }));
    const one: Kept = { opening, users: 0, isToDrop: false };
    kept.set(projectId, one);
    await opening.catch((error) => {
      kept.delete(projectId);
      throw error;
    });
    return one;
  };

  const tryOut = async () => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(IMAGE_MS)]);
    let image: string;
    try {
      image = await imageOf(signal);
    } catch (error) {
      return `The image that builds run in could not be made from BASE_IMAGE_DEBIAN (${textOf(error)}).`;
    }
    try {
      const builder = await openBuilder(parts, { projectId: '', image, signal });
      await builder.close();
    } catch (error) {
      return `Docker could not be started in a container (${textOf(error)}).`;
    }
    return '';
  };

  const find = async (noFirewall: string) => {
    try {
      await sweep(parts);
      why = noFirewall || (await tryOut());
    } catch (error) {
      why = `Docker could not be asked (${textOf(error)}).`;
    }
    settled.resolve();
    if (why === '' || closing.signal.aborted) return;
    log.info({ reason: why }, 'builds are not kept apart');
    again = setTimeout(() => {
      trial = find(noFirewall);
    }, AGAIN_MS).unref();
  };

  return {
    start(noFirewall) {
      trial = find(noFirewall);
      return trial;
    },
    areKnown: () => why !== LOOKING,
    reason: () => why,
    async known(signal) {
      const over = new AbortController();
      const cut = aborted(AbortSignal.any([signal, over.signal]));
      await Promise.race([settled.promise, cut]).finally(() => {
        cut.catch(() => {});
        over.abort();
      });
    },
    async use(projectId, signal) {
      const one = await open(projectId, signal);
      clearTimeout(one.idle);
      one.idle = undefined;
      one.users += 1;
      const { close: _, ...builder } = await one.opening;
      return {
        ...builder,
        drop() {
          one.isToDrop = true;
        },
        [Symbol.dispose]() {
          one.users -= 1;
          if (one.users > 0 || kept.get(projectId) !== one) return;
          if (one.isToDrop) void end(projectId, one);
          else {
            one.idle = setTimeout(() => void end(projectId, one), limits.builderIdle).unref();
            const waiting = [...kept].filter(([, { idle }]) => idle !== undefined);
            // The first of them is the oldest.
            for (const [id, other] of waiting.slice(0, -limits.idleBuilders)) void end(id, other);
          }
        },
      };
    },
    async remove(projectId) {
      const one = kept.get(projectId);
      if (one) await end(projectId, one);
      await ending.get(projectId);
      await dropVolume(projectId);
    },
    async close() {
      clearTimeout(again);
      closing.abort(new Error('the server stops'));
      for (const [projectId, one] of [...kept]) void end(projectId, one);
      await daemon.unlessAway(Promise.all([trial, ...ending.values()]));
    },
  };
}

/** Its networks; containers are removed with all others that an earlier server left. Caches stay. */
async function sweep({ daemon: { docker }, instance }: BuilderParts): Promise<void> {
  const filters = { label: [`${LABELS.instance}=${instance}`, LABELS.builder] };
  for (const { Id } of await docker.listNetworks({ filters })) {
    await docker
      .getNetwork(Id)
      .remove()
      .catch((error) => {
        if (!isMissing(error)) throw error;
      });
  }
}

/** What an error says, to stand in brackets. */
function textOf(error: unknown): string {
  return error instanceof Error ? error.message.trim().replace(/\.$/, '') : String(error);
}
