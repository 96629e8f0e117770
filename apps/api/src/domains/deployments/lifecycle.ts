import type { Deployment } from '@nephos/contracts';
import { type Earlier, found } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { lockProject } from '../projects/read.ts';
import { assertMayRunCode } from '../projects/runnable.ts';
import { UNFINISHED } from './attempt.ts';
import { recordStop } from './deployment-events.ts';
import type { DeploymentsParts } from './deployments.ts';
import type { DeploymentQueue } from './queue.ts';
import {
  cancelUnfinished,
  deploymentsOf,
  findDeployment,
  lastToRun,
  lockDeployment,
  queueNewest,
  queueRelease,
} from './service.ts';

/**
 * Starts an app that does not run: the release that ran last, or the newest version where that is not kept. Finds the
 * deployment that runs, or that is on its way to.
 */
export async function startApp(
  { db, workspace, ownerId }: UserContext,
  { settings, ...parts }: DeploymentsParts,
  projectId: string,
): Promise<Deployment | Earlier<Deployment>> {
  const { engine } = parts;
  assertMayRunCode(settings, workspace, engine.isolation(), { builds: false });
  return atomically(db, async (trx) => {
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    const current = project.liveDeploymentId ?? (await inProgress(trx, ownerId, projectId))[0]?.id;
    if (current) return found(await findDeployment(trx, ownerId, current));
    const deployment = await lastToRun(trx, ownerId, projectId);
    if (deployment?.releaseKept) return queueRelease(trx, parts, { project, kind: 'start', deployment });
    assertMayRunCode(settings, workspace, engine.isolation(), { builds: project.image === '' });
    return queueNewest(trx, { settings, ...parts }, project);
  });
}

/** Starts the running release anew; it takes over once it answers. Finds a restart that is in progress. */
export async function restartApp(
  { db, workspace, ownerId }: UserContext,
  { settings, ...parts }: DeploymentsParts,
  projectId: string,
): Promise<Deployment | Earlier<Deployment>> {
  assertMayRunCode(settings, workspace, parts.engine.isolation(), { builds: false });
  return atomically(db, async (trx) => {
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    if (!project.liveDeploymentId) {
      throw conflict('NOT_RUNNING', "This app isn't running. Start it instead.");
    }
    const [current] = await inProgress(trx, ownerId, projectId);
    if (current?.kind === 'restart') return found(current);
    // Its turn would come after, and bring the present version back over the one that is being deployed.
    if (current) {
      throw conflict(
        'DEPLOYMENT_IN_PROGRESS',
        'A deployment is in progress. Cancel it or wait for it to finish, then restart.',
      );
    }
    const deployment = await findDeployment(trx, ownerId, project.liveDeploymentId);
    return queueRelease(trx, parts, { project, kind: 'restart', deployment });
  });
}

/** Stops the app, and cancels what would start it again. Without either there is nothing to do. */
export async function stopApp(
  { db, ownerId }: UserContext,
  queue: Pick<DeploymentQueue, 'stopApp'>,
  projectId: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    for (const deployment of await inProgress(trx, ownerId, projectId)) {
      await cancelUnfinished(trx, ownerId, deployment);
    }
    const { liveDeploymentId } = project;
    if (liveDeploymentId)
      await takeDown({ db: trx, ownerId }, queue, { projectId, deploymentId: liveDeploymentId });
  });
  return { success: true };
}

/** Stops one deployment while it runs; its release stays. */
export async function stopDeployment(
  { db, ownerId }: UserContext,
  queue: Pick<DeploymentQueue, 'stopApp'>,
  id: string,
): Promise<Deployment> {
  return atomically(db, async (trx) => {
    const { live, projectId } = await lockDeployment(trx, ownerId, id);
    if (!live) throw conflict('NOT_RUNNING', "This deployment isn't running.");
    await takeDown({ db: trx, ownerId }, queue, { projectId, deploymentId: id });
    return findDeployment(trx, ownerId, id);
  });
}

async function takeDown(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  queue: Pick<DeploymentQueue, 'stopApp'>,
  app: { projectId: string; deploymentId: string },
): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ status: 'stopped' })
    .where('ownerId', '=', ownerId)
    .where('id', '=', app.deploymentId)
    .execute();
  await db
    .updateTable('projects')
    .set({ liveDeploymentId: null })
    .where('ownerId', '=', ownerId)
    .where('id', '=', app.projectId)
    .execute();
  await recordStop(db, app);
  await queue.stopApp(db, app);
}

/** What is on its way to run, newest first; not what was told to give up. */
function inProgress(trx: Kysely<Database>, ownerId: string, projectId: string): Promise<Deployment[]> {
  return deploymentsOf(trx, ownerId)
    .where('projectId', '=', projectId)
    .where('status', 'in', UNFINISHED)
    .where('cancelRequested', '=', false)
    .orderBy('id', 'desc')
    .execute();
}
