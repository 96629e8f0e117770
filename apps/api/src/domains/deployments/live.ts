import { appStateOf } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { persistently } from '../../platform/persistently.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { newestOutcome } from '../projects/read.ts';
import { openVariables } from '../projects/variables.ts';
import type { AbsentApp, DeployedApp, LiveDeployments } from './engine/engine.ts';
import { createLogWriter } from './log-store.ts';

export interface LiveParts {
  db: Kysely<Database>;
  secrets: SecretsBox;
  log: Logger;
}

/** What the engine reads and reports outside of a job, from and to the database. */
export function createLiveDeployments({ db, secrets, log }: LiveParts): LiveDeployments {
  return {
    all: () => allLive(db, secrets),
    logFor: (deploymentId) =>
      createLogWriter({ db, log, deploymentId, secrets: () => secretsOf(db, secrets, deploymentId) }),
    crashed: (deploymentId, error) => persistently(() => recordCrash(db, deploymentId, error)),
    recovered: (deploymentId) => persistently(() => recordRecovery(db, deploymentId)),
    releasesRemoved: (deploymentIds) => persistently(() => recordRemoved(db, deploymentIds)),
    absence: (slug) => absenceOf(db, slug),
  };
}

async function allLive(db: Kysely<Database>, secrets: SecretsBox): Promise<DeployedApp[]> {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('deployments', 'deployments.id', 'projects.liveDeploymentId')
    .select(['deployments.id as deploymentId', 'projectId', 'slug', 'account'])
    .select(['deployments.healthPath', 'rollbackOf', 'variables'])
    .execute();
  return rows.map((row) => ({ ...row, variables: openVariables(secrets, row) }));
}

async function secretsOf(db: Kysely<Database>, secrets: SecretsBox, deploymentId: string): Promise<string[]> {
  const deployment = await db
    .selectFrom('deployments')
    .select(['projectId', 'variables'])
    .where('id', '=', deploymentId)
    .executeTakeFirst();
  return deployment ? Object.values(openVariables(secrets, deployment)) : [];
}

async function recordCrash(db: Kysely<Database>, deploymentId: string, error: string): Promise<void> {
  await atomically(db, async (trx) => {
    const left = await trx
      .updateTable('projects')
      .set({ liveDeploymentId: null })
      .where('liveDeploymentId', '=', deploymentId)
      .returning('id')
      .executeTakeFirst();
    if (!left) return;
    await trx
      .updateTable('deployments')
      .set({ status: 'failed', error })
      .where('id', '=', deploymentId)
      .execute();
  });
}

async function recordRecovery(db: Kysely<Database>, deploymentId: string): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ status: 'running', error: null })
    .where('id', '=', deploymentId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('projects')
          .select('projects.id')
          .whereRef('projects.liveDeploymentId', '=', 'deployments.id'),
      ),
    )
    .execute();
}

async function recordRemoved(db: Kysely<Database>, deploymentIds: string[]): Promise<void> {
  if (deploymentIds.length === 0) return;
  await db.updateTable('deployments').set({ releaseKept: false }).where('id', 'in', deploymentIds).execute();
}

async function absenceOf(db: Kysely<Database>, slug: string): Promise<AbsentApp> {
  const project = await db
    .selectFrom('projects')
    .select(newestOutcome.as('outcome'))
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (!project) return 'unknown';
  const state = appStateOf(false, project.outcome);
  switch (state) {
    case 'none':
      return 'empty';
    case 'failed':
    case 'stopped':
      return state;
    // `running`: live when it was asked for, and not on its route any more or yet.
    default:
      return 'deploying';
  }
}
