import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs, Queue } from '../../platform/jobs.ts';
import { notify } from '../../platform/notifications.ts';
import { failExhausted, unfinished } from './attempt.ts';
import { DEPLOYMENT_CANCEL } from './channels.ts';
import type { DeploymentEngine } from './engine/engine.ts';
import { type RunParts, runDeployment } from './run.ts';

/** Work on deployments that is done in the background, each piece asked for in the transaction of its cause. */
export interface DeploymentQueue {
  deploy(db: Kysely<Database>, deployment: { projectId: string; deploymentId: string }): Promise<void>;
  stopApp(db: Kysely<Database>, app: { projectId: string; deploymentId: string }): Promise<void>;
  /** Ends a deleted project's builds and app, and deletes its folders. */
  removeProject(db: Kysely<Database>, projectId: string): Promise<void>;
  /** Begins to put right what is unfinished although nothing works on it. */
  start(): Promise<void>;
  /** Interrupts running builds; they run again after the next start. */
  stop(): Promise<void>;
}

export interface QueueParts extends RunParts {
  jobs: Jobs;
  engine: Pick<DeploymentEngine, 'run' | 'stopApp' | 'removeProject'>;
  /** Milliseconds between two looks for unfinished deployments; another value is for tests. */
  sweepEvery?: number;
}

type Work =
  | { kind: 'deploy'; projectId: string; deploymentId: string }
  | { kind: 'remove'; projectId: string };

const BUILDS_AT_ONCE = 2;
/** Seconds: beyond the engine's own limits on all steps at their longest, so that it never cuts a build that goes on. */
const BUILD_EXPIRES = 10 * 60 * 60;
const SWEEP_MS = 15_000;
/** A deployment counts its own runs, see `MAX_ATTEMPTS`; the job must only outlast them and orderly stops. */
const RETRIES = 100;

/** Defines the queues; the jobs begin with `jobs.start()`. */
export function createDeploymentQueue(parts: QueueParts): DeploymentQueue {
  const { db, jobs, engine, sweepEvery = SWEEP_MS } = parts;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  const inTurn = createTurns();

  const work = jobs.queue<Work>(
    'deployments',
    {
      concurrency: BUILDS_AT_ONCE,
      expireInSeconds: BUILD_EXPIRES,
      retryLimit: RETRIES,
      oneAtATimePerGroup: true,
    },
    // A job that was taken for dead can come back to us before we have let go of it.
    (piece, signal) =>
      inTurn(piece.projectId, () =>
        piece.kind === 'remove'
          ? engine.removeProject(piece.projectId)
          : runDeployment(
              parts,
              { ...piece, id: piece.deploymentId },
              AbortSignal.any([signal, stopping.signal]),
            ),
      ),
  );

  const stops = jobs.queue<{ projectId: string; deploymentId?: string }>(
    'app-stops',
    // An app may have minutes to stop, which others do not wait for.
    { concurrency: 4, expireInSeconds: 10 * 60, retryLimit: RETRIES },
    async ({ projectId, deploymentId }) => {
      if (await hasNoLiveDeployment(db, projectId)) await engine.stopApp(projectId, deploymentId);
    },
  );

  return {
    deploy: (trx, deployment) =>
      work.enqueue(trx, { kind: 'deploy', ...deployment }, { group: deployment.projectId }),
    stopApp: (trx, app) => stops.enqueue(trx, app),
    async removeProject(trx, projectId) {
      await notify(trx, DEPLOYMENT_CANCEL, projectId);
      await stops.enqueue(trx, { projectId });
      await work.enqueue(trx, { kind: 'remove', projectId }, { group: projectId });
    },
    async start() {
      await sweep(parts, work);
      timer = setInterval(() => {
        sweeping = sweep(parts, work);
      }, sweepEvery);
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await sweeping;
    },
  };
}

/** Runs work on one project after the other work on it that this process was given before. */
function createTurns() {
  const latest = new Map<string, Promise<void>>();
  return async (projectId: string, next: () => Promise<void>): Promise<void> => {
    const before = latest.get(projectId)?.catch(() => {});
    const running = before ? before.then(next) : next();
    latest.set(projectId, running);
    try {
      await running;
    } finally {
      if (latest.get(projectId) === running) latest.delete(projectId);
    }
  };
}

/** A deployment whose job is gone is queued again, or failed when it has had its runs: none stays stuck. */
async function sweep(parts: QueueParts, work: Queue<Work>): Promise<void> {
  const { db, log } = parts;
  try {
    const open = await unfinished(db);
    if (open.length === 0) return;
    const pieces = await work.unfinished();
    const worked = new Set(pieces.map((piece) => piece.kind === 'deploy' && piece.deploymentId));
    for (const { id, projectId } of open.filter((deployment) => !worked.has(deployment.id))) {
      await failExhausted(parts, { id, projectId });
      await work.enqueue(db, { kind: 'deploy', projectId, deploymentId: id }, { group: projectId });
    }
  } catch (error) {
    log.warn({ err: error }, 'could not look for unfinished deployments');
  }
}

async function hasNoLiveDeployment(db: Kysely<Database>, projectId: string): Promise<boolean> {
  const project = await db
    .selectFrom('projects')
    .select('liveDeploymentId')
    .where('id', '=', projectId)
    .executeTakeFirst();
  return !project?.liveDeploymentId;
}
