import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { sealedVariables } from '../projects/variables.ts';
import type { DeploymentQueue } from './queue.ts';

type Project = Selectable<Database['projects']>;
type Deployment = Selectable<Database['deployments']>;

/** What a rollback takes from the release that it starts again. */
export type Release = Pick<
  Deployment,
  | 'id'
  | 'repositoryUrl'
  | 'template'
  | 'branch'
  | 'framework'
  | 'healthPath'
  | 'variables'
  | 'commit'
  | 'commitMessage'
>;

/** Text of a deployment that never began because a newer one was asked for. */
export const SUPERSEDED = 'Superseded by a newer deployment.';

/**
 * Queues a deployment of the project as it is now, or of a kept release, in the transaction `trx` that holds the
 * project's row. The newest request wins: earlier ones that have not begun are cancelled.
 */
export async function queueDeployment(
  queue: DeploymentQueue,
  trx: Kysely<Database>,
  project: Project,
  release?: Release,
): Promise<Deployment> {
  await trx
    .updateTable('deployments')
    .set({ status: 'cancelled', error: SUPERSEDED, finishedAt: sql`now()` })
    .where('projectId', '=', project.id)
    .where('status', '=', 'queued')
    .execute();
  const { repositoryUrl, template, branch, framework, healthPath } = release ?? project;
  const variables = release?.variables ?? (await sealedVariables(trx, project.id));
  const deployment = await trx
    .insertInto('deployments')
    .values({
      ownerId: project.ownerId,
      projectId: project.id,
      repositoryUrl,
      template,
      branch,
      framework,
      healthPath,
      variables: JSON.stringify(variables),
      ...(release && {
        rollbackOf: release.id,
        commit: release.commit,
        commitMessage: release.commitMessage,
      }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await queue.deploy(trx, { projectId: project.id, deploymentId: deployment.id });
  return deployment;
}
