import { type Deployment, MAX_PAGE, type NewDeployment, type Page } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound, unprocessable } from '../../core/errors.ts';
import { notify } from '../../platform/notifications.ts';
import { assertContainers } from '../projects/image-source.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import { assertMayRunCode, assertRuntime } from '../projects/runnable.ts';
import { assertStorageInPlan } from './app-disks.ts';
import { DEPLOYMENT_CANCEL } from './channels.ts';
import type { DeploymentsParts } from './deployments.ts';
import { type Asked, queueDeployment, type ReleaseStart } from './queue-deployment.ts';
import { recipeOf, whyNotBuilt } from './recipe-builds.ts';

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

/** Queues a deployment of the branch's newest commit, or of the template, marketplace app or image that the project is of. */
export async function createDeployment(
  { db, workspace, ownerId }: UserContext,
  { settings, engine, ...parts }: DeploymentsParts,
  { id: projectId, clearCache }: NewDeployment,
): Promise<Deployment> {
  return atomically(db, async (trx) => {
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    assertMayRunCode(settings, workspace, engine.isolation(), { builds: project.image === '' });
    return queueNewest(trx, { settings, engine, ...parts }, project, { clearCache });
  });
}

/** What queueing takes. */
type Queueing = Pick<DeploymentsParts, 'engine' | 'queue' | 'secrets'>;
type Building = Queueing & Pick<DeploymentsParts, 'settings' | 'findRecipe'>;

/**
 * Queues a deployment of a project as it is now. Its row is held by `trx`. Throws 409 OLD_VERSION for an app of the
 * marketplace that is of another version than the catalogue's, and is not to be upgraded to that.
 */
export async function queueNewest(
  trx: Kysely<Database>,
  { settings, engine, findRecipe, ...parts }: Building,
  project: Selectable<Database['projects']>,
  asked: Asked = {},
): Promise<Deployment> {
  const { repositoryUrl, pushed, template, recipe, image } = project;
  if (repositoryUrl === '' && !pushed && template === null && recipe === null && image === '') {
    throw unprocessable(
      'NO_REPOSITORY',
      'This project has no source. Push to it with git, or add a source in its settings first.',
    );
  }
  const { upgradeTo: recipeVersion = project.recipeVersion } = asked;
  const built = recipeOf({ ...project, recipeVersion });
  const reason = built && whyNotBuilt(findRecipe, built);
  if (reason) throw conflict('OLD_VERSION', reason);
  assertRunnable(engine, project);
  await assertStorageInPlan({ db: trx, settings }, project);
  const { id } = await queueDeployment(parts, trx, project, asked);
  return findDeployment(trx, project.ownerId, id);
}

/** Throws 503 where this server lacks what it takes to build and run that. */
function assertRunnable(
  engine: Pick<DeploymentsParts['engine'], 'runtimes' | 'containers'>,
  { image, framework }: Pick<Selectable<Database['projects']>, 'image' | 'framework'>,
): void {
  if (image === '') assertRuntime(engine.runtimes(), framework);
  else assertContainers(engine.containers());
}

/** Queues the start of the release that a deployment runs or ran, with the settings that this deployment had. */
export async function queueRelease(
  trx: Kysely<Database>,
  { engine, ...parts }: Queueing,
  {
    project,
    kind,
    deployment,
  }: { project: Selectable<Database['projects']>; kind: ReleaseStart['kind']; deployment: Deployment },
): Promise<Deployment> {
  const former = await trx
    .selectFrom('deployments')
    .selectAll()
    .where('ownerId', '=', project.ownerId)
    .where('id', '=', deployment.id)
    .executeTakeFirst();
  if (!former || !deployment.releaseKept) {
    throw conflict('RELEASE_GONE', 'The release of this deployment is no longer kept. Deploy again instead.');
  }
  assertRunnable(engine, former);
  const { id } = await queueDeployment(parts, trx, project, { start: { kind, former } });
  return findDeployment(trx, project.ownerId, id);
}

/** Ends one that has not finished: right away while it is queued, else as soon as its runner hears of it. */
export async function cancelDeployment({ db, ownerId }: UserContext, id: string): Promise<Deployment> {
  return atomically(db, async (trx) => {
    const deployment = await lockDeployment(trx, ownerId, id);
    if (!(await cancelUnfinished(trx, ownerId, deployment))) {
      throw conflict('NOT_CANCELLABLE', "This deployment has already finished, so it can't be cancelled.");
    }
    return findDeployment(trx, ownerId, id);
  });
}

/** Whether there was something to cancel. The project's row is held by `trx`. */
export async function cancelUnfinished(
  trx: Kysely<Database>,
  ownerId: string,
  { id, status }: Pick<Deployment, 'id' | 'status'>,
): Promise<boolean> {
  const change = trx.updateTable('deployments').where('ownerId', '=', ownerId).where('id', '=', id);
  switch (status) {
    case 'queued':
      await change.set({ status: 'cancelled', error: CANCELLED, finishedAt: sql`now()` }).execute();
      return true;
    case 'building':
    case 'deploying':
      await change.set({ cancelRequested: true }).execute();
      await notify(trx, DEPLOYMENT_CANCEL, id);
      return true;
    default:
      return false;
  }
}

/** Queues the start of a deployment's kept release, with the commit, settings and variables that the deployment had. */
export async function rollbackDeployment(
  { db, workspace, ownerId }: UserContext,
  { settings, engine, ...parts }: DeploymentsParts,
  id: string,
): Promise<Deployment> {
  assertMayRunCode(settings, workspace, engine.isolation(), { builds: false });
  return atomically(db, async (trx) => {
    const deployment = await findDeployment(trx, ownerId, id);
    const project = await lockProject(trx, ownerId, deployment.projectId);
    if (!project) throw notFound();
    return queueRelease(trx, { engine, ...parts }, { project, kind: 'rollback', deployment });
  });
}

/** Requests went to it. One that failed after its switch crashed. */
const RAN = sql<boolean>`(deployments.status in ('running', 'stopped')
  or deployments.status = 'failed' and deployments.step is not distinct from 'switch')`;

/** Its own release, or that of its builder, is kept. */
const RELEASE_KEPT = sql<boolean>`(deployments.release_kept or ${RAN} and exists (
  select from deployments builder where builder.id = deployments.rollback_of and builder.release_kept))`;

/** Someone's deployments with exactly what the contract shows, all of it as of one moment. */
export function deploymentsOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('deployments')
    .select(['id', 'projectId', 'kind', 'status', 'step', 'error', 'image', 'imageDigest', 'cause'])
    .select(['branch', 'commit', 'commitMessage', 'rollbackOf', 'createdAt', 'startedAt', 'finishedAt'])
    .select(RELEASE_KEPT.as('releaseKept'))
    .select(sql<boolean>`exists (select from projects where live_deployment_id = deployments.id)`.as('live'))
    .where('ownerId', '=', ownerId);
}

export async function findDeployment(db: Kysely<Database>, ownerId: string, id: string): Promise<Deployment> {
  const deployment = await deploymentsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!deployment) throw notFound();
  return deployment;
}

/**
 * The deployment that requests went to last, of a project whose app does not run. A build that failed at its switch left
 * no release and never ran.
 */
export async function lastToRun(
  db: Kysely<Database>,
  ownerId: string,
  projectId: string,
): Promise<Deployment | undefined> {
  return deploymentsOf(db, ownerId)
    .where('projectId', '=', projectId)
    .where(RAN)
    .where(({ eb, or }) =>
      or([
        eb('status', '!=', 'failed'),
        eb('deployments.releaseKept', '=', true),
        eb('rollbackOf', 'is not', null),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The project's row is always taken first, as the runner does, so that the two cannot wait for each other. */
export async function lockDeployment(
  trx: Kysely<Database>,
  ownerId: string,
  id: string,
): Promise<Deployment> {
  const { projectId } = await findDeployment(trx, ownerId, id);
  await lockProject(trx, ownerId, projectId);
  const locked = await deploymentsOf(trx, ownerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!locked) throw notFound();
  return locked;
}
