import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { byteSize } from '../../../../../platform/byte-size.ts';
import type { Limits } from '../../limits.ts';
import { STORE } from './builder-options.ts';
import { enter, outputOf } from './builder-socket.ts';

/** Of the disk that a build may use, how much more than its image may have: what it fetches and unpacks is there twice. */
const STEPS = 2;

export interface BuilderWatch extends Disposable {
  /** Aborts when the build uses more of the disk than it may; its reason's message completes a sentence. */
  signal: AbortSignal;
  /** Whether something that the build started was ended because its memory was used up. */
  ranOutOfMemory(): boolean;
  /** Bytes that the builder kept when it was looked at last. */
  used(): number;
}

export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/** Watches a builder's container during a build. */
export function watchBuilder(
  daemon: Docker,
  container: Docker.Container,
  { buildBytes, builderDiskTime }: Pick<Limits, 'buildBytes' | 'builderDiskTime'>,
): BuilderWatch {
  const over = new AbortController();
  const breach = new AbortController();
  let shortages = 0;
  const listen = async () => {
    const filters = { container: [container.id], event: ['oom'] };
    const events = await daemon.getEvents({ filters, abortSignal: over.signal } as Docker.GetEventsOptions);
    for await (const _ of events) shortages += 1;
  };
  let before: number | undefined;
  let used = 0;
  const look = async () => {
    used = await usedBytes(container);
    before ??= used;
    const most = buildBytes * STEPS;
    if (used - before > most) breach.abort(new TooMuch(`it used more than ${byteSize(most)} of disk`));
  };
  let looking = Promise.resolve();
  const quietly = () => {
    looking = looking.then(look).catch(() => {});
  };
  void listen().catch(() => {});
  quietly();
  const timer = setInterval(quietly, builderDiskTime).unref();
  return {
    signal: breach.signal,
    ranOutOfMemory: () => shortages > 0,
    used: () => used,
    [Symbol.dispose]() {
      clearInterval(timer);
      over.abort();
    },
  };
}

/** Bytes of all that the daemon in a builder keeps. */
async function usedBytes(container: Docker.Container): Promise<number> {
  const said = await text(outputOf(await enter(container, ['du', '-s', '-k', '-x', STORE])));
  const kilobytes = Number(/^(\d+)/.exec(said)?.[1]);
  if (Number.isNaN(kilobytes)) throw new Error('the disk of a builder could not be looked at');
  return kilobytes * 1024;
}
