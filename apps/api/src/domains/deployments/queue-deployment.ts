import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { sealedVariables } from '../projects/variables.ts';
import type { DeploymentQueue } from './queue.ts';

type Project = Selectable<Database['projects']>;
type Deployment = Selectable<Database['deployments']>;

/** Why a kept release is started, and what that takes from the deployment that built it. */
export interface ReleaseStart {
  kind: Exclude<Deployment['kind'], 'deploy'>;
  release: Pick<
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
}

/** Text of a deployment that never began because a newer one was asked for. */
export const SUPERSEDED = 'Replaced by a newer deployment.';

/**
 * Queues a deployment of the project as it is now, or of a kept release, in the transaction `trx` that holds the
 * project's row. The newest request wins: earlier ones that have not begun are cancelled.
 */
export async function queueDeployment(
  queue: DeploymentQueue,
  trx: Kysely<Database>,
  project: Project,
  start?: ReleaseStart,
): Promise<{ id: string }> {
  const release = start?.release;
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
      ...(start && {
        kind: start.kind,
        rollbackOf: start.release.id,
        commit: start.release.commit,
        commitMessage: start.release.commitMessage,
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queue.deploy(trx, { projectId: project.id, deploymentId: deployment.id });
  return deployment;
}
