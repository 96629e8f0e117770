import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

export interface JobOptions {
  /** Handlers of this queue that may run at once in this process. */
  concurrency: number;
  /** Seconds a run may take before it counts as dead. */
  expireInSeconds: number;
  /** Runs after the first when a handler throws or its process dies. */
  retryLimit: number;
  /** Jobs of one group (`enqueue`'s `group`) never run at the same time, on any replica. */
  oneAtATimePerGroup?: boolean;
}

/** A queue of background work. Handlers must be idempotent: a job can run again after its process died. */
export interface Queue<Payload> {
  /** Enqueues in the transaction `db`; rolled back, it never was. */
  enqueue(db: Kysely<Database>, payload: Payload, options?: { group?: string }): Promise<void>;
}

export interface Jobs {
  /** Defines a queue and its handler; call before `start`. */
  queue<Payload extends object>(
    name: string,
    options: JobOptions,
    handler: (payload: Payload, signal: AbortSignal) => Promise<void>,
  ): Queue<Payload>;
  /** Runs `handler` on a cron schedule (UTC), once over all replicas. */
  schedule(name: string, cron: string, handler: () => Promise<void>): void;
  start(): Promise<void>;
  /** Takes no new jobs and waits up to `timeout` milliseconds for running ones. */
  stop(timeout: number): Promise<void>;
}
