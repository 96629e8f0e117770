import type { Pool } from 'undici';
import type { ProcessStatus } from '../engine.ts';
import { type SuperviseOptions, supervise } from '../instances/supervise.ts';
import type { AppProcess, StartOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import type { ServeParts } from './process-app.ts';

/** Without a hint of the app's own, a connection is not used again after so many idle milliseconds. */
const KEEP_ALIVE_MS = 1000;

/** A run that is up, with the connections to it and how many requests it has. */
export interface Upstream {
  run: AppProcess;
  pool: Pool;
  requests: number;
  /** Until when others are tried before it, since it took no connection (`performance.now()`). */
  avoidedUntil: number;
}

/** One instance of a process, which is kept running until it is stopped. */
export interface AppInstance {
  status(): ProcessStatus;
  current(): Upstream | undefined;
  /** Resolves when it is up for the first time; rejects when its first start failed, or it crashed too often. */
  started: Promise<void>;
  /** Resolves with the reason when it has crashed too often; never without. */
  failed: Promise<string>;
  /** Ends its supervision, then its run. May be called again to hurry. */
  stop(grace: number): Promise<void>;
  /** Ends its supervision, and its run where that ends with the server. */
  leave(grace: number): Promise<void>;
}

export type AppInstanceOptions = Omit<SuperviseOptions, 'signal' | 'onUp' | 'onDown'>;

export function createAppInstance(parts: ServeParts, options: AppInstanceOptions): AppInstance {
  const stopping = new AbortController();
  const up = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<string>();
  let current: Upstream | undefined;
  let status: ProcessStatus = {
    ...{ process: options.process.name, instance: options.instance, command: options.process.label },
    ...{
      state: 'starting',
      since: new Date().toISOString(),
      reason: '',
      restarts: 0,
      port: null,
      node: null,
    },
  };
  const change: SuperviseOptions['onChange'] = (changed, exit) => {
    status = changed;
    options.onChange(changed, exit);
  };
  const onDown = () => {
    void current?.pool.destroy();
    current = undefined;
  };
  const runtime = {
    async startInstance(start: StartOptions) {
      current = await startUpstream(parts, start);
      return current.run;
    },
  };
  const supervision = supervise(
    { limits: parts.limits, runtime },
    {
      ...options,
      signal: stopping.signal,
      onChange: change,
      onDown,
      onUp: () => up.resolve(),
    },
  ).then(
    (reason) => {
      up.reject(new StepFailure('start', reason));
      failed.resolve(reason);
    },
    (error: unknown) => {
      up.reject(error);
      if (stopping.signal.aborted || error instanceof StepFailure) return;
      parts.log.error(
        { err: error, deploymentId: options.app.deploymentId },
        'an app is no longer supervised',
      );
    },
  );
  // Whoever has no use for it need not wait for it.
  up.promise.catch(() => {});
  const stop = async (grace: number) => {
    stopping.abort();
    await supervision;
    await current?.run.stop(grace);
    onDown();
    if (status.state === 'stopped' || status.state === 'failed') return;
    change({ ...status, state: 'stopped', since: new Date().toISOString(), port: null, node: null }, null);
  };
  return {
    status: () => status,
    current: () => current,
    started: up.promise,
    failed: failed.promise,
    stop,
    async leave(grace) {
      stopping.abort();
      await supervision;
      if (!current?.run.leave) return stop(grace);
      current.run.leave();
      onDown();
    },
  };
}

/** Milliseconds for a connection to this machine, and to another: where that has died, nothing answers at all. */
const CONNECT_MS = 5000;
const REMOTE_CONNECT_MS = 1000;

/** A run once it is up, and the connections to it, of which there are none yet. */
async function startUpstream({ limits, runtime }: ServeParts, options: StartOptions): Promise<Upstream> {
  // Megabytes of memory that a server without apps does not need.
  const { Pool } = await import('undici');
  const run = await runtime.startInstance(options);
  const pool = new Pool(run.origin || 'http://localhost', {
    headersTimeout: limits.headersTime,
    // A stream of events may be silent for hours.
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: run.node === undefined ? CONNECT_MS : REMOTE_CONNECT_MS,
  });
  return { run, pool, requests: 0, avoidedUntil: 0 };
}
