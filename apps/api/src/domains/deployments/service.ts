import { type Deployment, MAX_PAGE, type Page } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound, unprocessable } from '../../core/errors.ts';
import { notify } from '../../platform/notifications.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import { assertMayRunCode, assertRuntime } from '../projects/runnable.ts';
import { DEPLOYMENT_CANCEL } from './channels.ts';
import type { DeploymentsParts } from './deployments.ts';
import type { DeploymentQueue } from './queue.ts';
import { queueDeployment } from './queue-deployment.ts';

/** Text of a deployment that a person cancelled. */
export const CANCELLED = 'Cancelled.';

/** A project's deployments, newest first. */
export async function listDeployments(
  { db, ownerId }: UserContext,
  { id, limit = MAX_PAGE, cursor }: { id: string } & z.output<typeof Page>,
): Promise<Deployment[]> {
  await assertProject(db, ownerId, id);
  const all = deploymentsOf(db, ownerId).where('projectId', '=', id).orderBy('id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

/** Queues a deployment of the branch's newest commit, or of the project's template. */
export async function createDeployment(
  { db, user, ownerId }: UserContext,
  { settings, engine, queue }: DeploymentsParts,
  projectId: string,
): Promise<Deployment> {
  assertMayRunCode(settings, user);
  return atomically(db, async (trx) => {
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    if (project.repositoryUrl === '' && project.template === null) {
      throw unprocessable(
        'NO_REPOSITORY',
        'This project has no repository. Add its address in the settings first.',
      );
    }
    assertRuntime(engine.runtimes(), project.framework);
    return queueDeployment(queue, trx, project);
  });
}

/** Ends one that has not finished: at once while it is queued, else as soon as its runner hears of it. */
export async function cancelDeployment({ db, ownerId }: UserContext, id: string): Promise<Deployment> {
  return atomically(db, async (trx) => {
    const { status } = await lockDeployment(trx, ownerId, id);
    const change = trx.updateTable('deployments').where('ownerId', '=', ownerId).where('id', '=', id);
    if (status === 'queued') {
      await change.set({ status: 'cancelled', error: CANCELLED, finishedAt: sql`now()` }).execute();
    } else if (status === 'building' || status === 'deploying') {
      await change.set({ cancelRequested: true }).execute();
      await notify(trx, DEPLOYMENT_CANCEL, id);
    } else {
      throw conflict('NOT_CANCELLABLE', 'This deployment has finished, so it cannot be cancelled.');
    }
    return findDeployment(trx, ownerId, id);
  });
}

/** Queues the start of a kept release, with the settings and the commit that it was built from. */
export async function rollbackDeployment(
  { db, user, ownerId }: UserContext,
  { settings, engine, queue }: DeploymentsParts,
  id: string,
): Promise<Deployment> {
  assertMayRunCode(settings, user);
  return atomically(db, async (trx) => {
    const { projectId, rollbackOf } = await findDeployment(trx, ownerId, id);
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    const release = await trx
      .selectFrom('deployments')
      .selectAll()
      .where('ownerId', '=', ownerId)
      .where('id', '=', rollbackOf ?? id)
      .executeTakeFirst();
    if (!release?.releaseKept) {
      throw conflict(
        'RELEASE_GONE',
        'There is no release of this deployment to go back to. Deploy again instead.',
      );
    }
    assertRuntime(engine.runtimes(), release.framework);
    return queueDeployment(queue, trx, project, release);
  });
}

/** Stops the running app; its release stays for a rollback. */
export async function stopDeployment(
  { db, ownerId }: UserContext,
  queue: Pick<DeploymentQueue, 'stopApp'>,
  id: string,
): Promise<Deployment> {
  return atomically(db, async (trx) => {
    const { status, projectId } = await lockDeployment(trx, ownerId, id);
    if (status !== 'running') throw conflict('NOT_RUNNING', 'This deployment is not running.');
    await trx
      .updateTable('deployments')
      .set({ status: 'stopped' })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    await trx
      .updateTable('projects')
      .set({ liveDeploymentId: null })
      .where('ownerId', '=', ownerId)
      .where('liveDeploymentId', '=', id)
      .execute();
    await queue.stopApp(trx, { projectId, deploymentId: id });
    return findDeployment(trx, ownerId, id);
  });
}

/** Someone's deployments with exactly what the contract shows. */
export function deploymentsOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('deployments')
    .select(['id', 'projectId', 'status', 'step', 'error', 'branch', 'commit', 'commitMessage'])
    .select(['rollbackOf', 'releaseKept', 'createdAt', 'startedAt', 'finishedAt'])
    .where('ownerId', '=', ownerId);
}

export async function findDeployment(db: Kysely<Database>, ownerId: string, id: string): Promise<Deployment> {
  const deployment = await deploymentsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!deployment) throw notFound();
  return deployment;
}

/** The project's row is always taken first, as the runner does, so that the two cannot wait for each other. */
async function lockDeployment(trx: Kysely<Database>, ownerId: string, id: string): Promise<Deployment> {
  const { projectId } = await findDeployment(trx, ownerId, id);
  await lockProject(trx, ownerId, projectId);
  const locked = await deploymentsOf(trx, ownerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!locked) throw notFound();
  return locked;
}
