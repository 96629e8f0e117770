import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { createGate, type Gate } from '../../http/gate.ts';
import type { AppAddress } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Cause, CauseOutcome } from '../deployments/deploy-for-cause.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Part } from '../domain.ts';
import { addGitRoutes } from './git.route.ts';
import { resumePushes } from './resume-pushes.ts';

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'log'>;

/** What the part was made with. */
export interface GitParts extends Platformed {
  engine: Pick<DeploymentEngine, 'openRepository' | 'hasRepository' | 'removeProject'>;
  /** Queues a deployment, or says why not, in the transaction that holds the project's row. */
  deployForCause(trx: Kysely<Database>, cause: Cause): Promise<CauseOutcome>;
  appAddress: AppAddress;
  /** Lets in so many at once, of each person a few, and to each repository one at a time. */
  gates: { people: Gate; repositories: Gate };
  /** Aborts when the server stops. */
  stopping: AbortSignal;
}

/** Milliseconds that somebody waits for the others. */
const PATIENCE = 60_000;
/** Who use repositories at once, and how many of them one person's. */
const PEOPLE = { places: 8, each: 2, patience: PATIENCE };
const REPOSITORIES = { places: PEOPLE.places, each: 1, patience: PATIENCE };

/** Git repositories of our own, to which projects are pushed: a push deploys, and tells the pusher what comes of it. */
export function createGitPushes(
  { settings, db, notifications, log }: Platformed,
  { engine, deployForCause, appAddress }: Pick<GitParts, 'engine' | 'deployForCause' | 'appAddress'>,
): Part {
  const stopping = new AbortController();
  const gates = { people: createGate(PEOPLE), repositories: createGate(REPOSITORIES) };
  const parts: GitParts = {
    ...{ settings, db, notifications, log, engine, deployForCause, appAddress, gates },
    stopping: stopping.signal,
  };
  return {
    routes(app) {
      // Whoever watches a build would hold the server open.
      app.addHook('preClose', async () => stopping.abort());
      addGitRoutes(app, parts);
    },
    sweeps: { pendingPushes: () => resumePushes(parts) },
    catchUp: () =>
      resumePushes(parts).catch((error: unknown) => {
        log.error({ err: error }, 'pushes that were cut off could not be looked for');
      }),
  };
}
