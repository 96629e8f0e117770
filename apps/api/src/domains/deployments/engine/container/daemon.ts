import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Logger } from 'pino';
import { aborted } from '../instances/exit.ts';
import { connectDocker } from './connect-docker.ts';

const POLL_MS = 250;
/** A daemon that takes longer for a sign of life is taken for one that is away. */
const PATIENCE_MS = 2000;

/** The Docker daemon of this machine, which may be away for a while. */
export interface Daemon {
  docker: Docker;
  /** Why nothing can be asked of it, as a sentence; '' where it answers. */
  reason(): string;
  /** What to say of it while it is away, as sentences. */
  away: string;
  /** Its processor's architecture as images name it, for example `amd64`; '' before it answered first. */
  architecture(): string;
  /** Looks for it a first time, and from then on. */
  start(): Promise<void>;
  /** Aborts when it goes away, or the given signal does. */
  present(signal: AbortSignal): AbortSignal;
  /** Resolves when work does, or the daemon is away: then the work goes on by itself, and nobody hears how it ends. */
  unlessAway(work: Promise<unknown>): Promise<void>;
  /** Resolves when it answers. Rejects with the signal's reason. */
  answering(signal?: AbortSignal): Promise<void>;
  /** Does work that asks it, and does it again where it went away meanwhile. */
  patiently<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): void;
}

class DaemonAway extends Error {
  override readonly name = 'DaemonAway';
  readonly code = 'ECONNRESET';
}

/** `host` is the address of its socket, `unix:///…`. */
export function createDaemon({ host, log }: { host: string; log: Logger }): Daemon {
  const docker = connectDocker(host.replace('unix://', ''));
  const closing = new AbortController();
  const away = awayAt(host);
  let reason = `The server is still starting, and looks for Docker at ${host} (DOCKER_HOST).`;
  let architecture = '';
  let back = Promise.withResolvers<void>();
  let life = new AbortController();

  const look = async () => {
    const abortSignal = AbortSignal.any([closing.signal, AbortSignal.timeout(PATIENCE_MS)]);
    // The typings know no signal here.
    const asked = docker.version as unknown as (options: object) => Promise<Docker.DockerVersion>;
    const { Arch } = await asked.call(docker, { abortSignal });
    architecture = Arch;
    if (reason === '') return;
    log.info({ host }, 'Docker responds');
    reason = '';
    life = new AbortController();
    back.resolve();
  };
  const lose = () => {
    if (reason === '') {
      log.warn({ host }, 'Docker is away');
      back = Promise.withResolvers();
    }
    reason = away;
    life.abort(new DaemonAway(away));
  };
  const watch = async () => {
    while (!closing.signal.aborted) {
      try {
        await look();
        await untilGone(docker, closing.signal);
      } catch {
        // It is away, which is all that there is to know.
      }
      lose();
      await wait(POLL_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  const answering = async (signal?: AbortSignal) => {
    const cut = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    while (reason !== '') await orAborted(back.promise, cut);
  };

  const present = (signal: AbortSignal) => AbortSignal.any([signal, life.signal, closing.signal]);

  return {
    docker,
    away,
    reason: () => reason,
    architecture: () => architecture,
    async start() {
      await look().catch(lose);
      void watch();
    },
    present,
    async unlessAway(work) {
      const over = new AbortController();
      await Promise.race([work, aborted(present(over.signal))]).catch(() => {});
      over.abort();
    },
    answering,
    async patiently(work, signal) {
      for (;;) {
        await answering(signal);
        try {
          return await work();
        } catch (error) {
          if (!isAway(error)) throw error;
          signal?.throwIfAborted();
          closing.signal.throwIfAborted();
          // Whoever watches it may not have noticed yet.
          await wait(POLL_MS);
        }
      }
    },
    close: () => closing.abort(new Error('the server stops')),
  };
}

/** How a connection says that its other end is gone (errno(3), and Node.js of streams and signals). */
const CUT_OFF = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];
/** The same of a socket that is not there: of a file, they mean something else. */
const NO_SOCKET = ['ENOENT', 'EACCES', 'ENOTSOCK'];

/** Whether the daemon did not answer at all: what it answers has a status. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || ('statusCode' in error && error.statusCode)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return CUT_OFF.includes(code) || (NO_SOCKET.includes(code) && syscall === 'connect');
}

export function awayAt(host: string): string {
  return `Docker doesn't respond at ${host}. Start it, or set DOCKER_HOST to its socket.`;
}

/** Whether it knows nothing of what was asked for. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

export function statusOf(error: unknown): unknown {
  return error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
}

/** Its stream of events ends with it; nothing that it tells is asked for but that. */
async function untilGone(docker: Docker, abortSignal: AbortSignal): Promise<void> {
  const filters = { type: ['plugin'] };
  const events = await docker.getEvents({ filters, abortSignal } as Docker.GetEventsOptions);
  for await (const _ of events);
}

function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
