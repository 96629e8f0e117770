import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

export interface JobOptions {
  /** Handlers of this queue that may run at once in this process. */
  concurrency: number;
  /** Seconds a run may take before it counts as dead. */
  expireInSeconds: number;
  /** Runs after the first when a handler throws or its process dies; after the last one the job is given up. */
  retryLimit: number;
  /** Seconds: the pause before each further run doubles from one second up to this. Absent: always one second. */
  longestPause?: number;
  /** Jobs of one group (`enqueue`'s `group`) never run at the same time, on any replica, and run in order. */
  oneAtATimePerGroup?: boolean;
}

/** A queue with what runs its jobs; with `cron`, the queue of a schedule. */
export interface Definition<Payload> {
  name: string;
  options: JobOptions;
  cron?: string;
  handler: (payload: Payload, signal: AbortSignal) => Promise<void>;
}

/**
 * A killed worker's job is taken again within 15 + 5 + 5 seconds: its heartbeat lapses, a replica notices, a worker
 * polls. A person who waits for a deployment is not left without a word for longer than 45.
 */
const HEARTBEAT_SECONDS = 15;
export const SUPERVISE_SECONDS = 5;
const POLL_SECONDS = 5;
/** A job that is out of runs is completed by us, with its error logged: a failed one would bar its group for good. */
const NEVER_FAILS = 1_000_000;
const KEPT_SECONDS = 24 * 60 * 60;

interface RunnableJob<Payload> {
  id: string;
  data: Payload;
  retryCount: number;
  signal: AbortSignal;
}

/** Runs jobs, and knows which of them still run. */
interface Runner {
  /** Answers what is kept of a job that is out of runs. */
  run<Payload>(
    definition: Definition<Payload>,
    job: RunnableJob<Payload>,
  ): Promise<{ gaveUp: string } | undefined>;
  /** Resolves when all that run now have ended. */
  settled(): Promise<unknown>;
}

export function createRunner(log: Logger): Runner {
  const running = new Set<Promise<void>>();
  return {
    async run({ name, options, handler }, job) {
      const runs = job.retryCount + 1;
      if (runs > options.retryLimit + 1) {
        log.error({ queue: name, job: job.id }, 'gave up on a job whose process died too often');
        return { gaveUp: 'The process died each time that it ran.' };
      }
      const work = handler(job.data, job.signal);
      const settled = work.catch(() => {});
      running.add(settled);
      try {
        await work;
        return undefined;
      } catch (error) {
        const level = job.signal.aborted ? 'info' : 'error';
        log[level]({ err: error, queue: name, job: job.id, runs }, 'a job did not finish');
        if (runs <= options.retryLimit) throw error;
        return { gaveUp: error instanceof Error ? error.message : 'It failed.' };
      } finally {
        running.delete(settled);
      }
    },
    settled: () => Promise.all(running),
  };
}

/** Begins to work through a queue; resolves to the ids of its workers, one for each job that may run at once. */
export async function startWorkers<Payload extends object>(
  boss: PgBoss,
  runner: Runner,
  definition: Definition<Payload>,
): Promise<readonly string[]> {
  const { name, options, cron } = definition;
  await defineQueue(boss, definition);
  if (cron) await boss.schedule(name, cron);
  const workers: string[] = [];
  for (let i = 0; i < options.concurrency; i++) {
    const worker = await boss.work<Payload>(
      name,
      { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: POLL_SECONDS },
      async (batch) => {
        try {
          // A batch is one job.
          for (const job of batch) return await runner.run(definition, job);
        } finally {
          // Whoever is free looks at once for what waited for this one, instead of at the next poll.
          for (const id of workers) boss.notifyWorker(id);
        }
      },
    );
    workers.push(worker);
  }
  return workers;
}

type QueueDefinition = Pick<Definition<never>, 'name' | 'options' | 'cron'>;

async function defineQueue(boss: PgBoss, { name, options, cron }: QueueDefinition): Promise<void> {
  const settings = {
    notify: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: options.expireInSeconds,
    retryLimit: NEVER_FAILS,
    retryDelay: 1,
    retryBackoff: options.longestPause !== undefined,
    ...(options.longestPause !== undefined && { retryDelayMax: options.longestPause }),
    deleteAfterSeconds: KEPT_SECONDS,
  };
  // Both policies are unique indexes, so they hold over all replicas: `key_strict_fifo` lets one job of a key be
  // claimed, `exclusive` keeps a schedule from piling up runs.
  const policy = options.oneAtATimePerGroup ? 'key_strict_fifo' : cron ? 'exclusive' : 'standard';
  await boss.createQueue(name, { ...settings, policy });
  await boss.updateQueue(name, settings);
}
