import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { effectiveVariables, type KeptVariables } from '../projects/effective-variables.ts';
import { isPushed } from '../projects/pushed-source.ts';
import type { DeploymentQueue } from './queue.ts';
import { recipeOf } from './recipe-builds.ts';

type Project = Selectable<Database['projects']>;
type Deployment = Selectable<Database['deployments']>;

/** Why a kept release is started, and what that takes from the deployment that ran it. */
export interface ReleaseStart {
  kind: Exclude<Deployment['kind'], 'deploy'>;
  former: Pick<
    Deployment,
    | 'id'
    | 'rollbackOf'
    | 'repositoryUrl'
    | 'pushed'
    | 'template'
    | 'recipe'
    | 'recipeVersion'
    | 'image'
    | 'imageDigest'
    | 'branch'
    | 'framework'
    | 'healthPath'
    | 'runSettings'
    | 'variables'
    | 'variableScopes'
    | 'commit'
    | 'commitMessage'
  >;
}

/** Text of a deployment that never began because a newer one was asked for. */
export const SUPERSEDED = 'Replaced by a newer deployment.';

/** What a deployment of the newest version is asked for by. */
export interface Asked {
  clearCache?: boolean;
  /** Why, where nobody asked for it, for example `Pushed ada/shop:latest`. */
  cause?: string;
  /** Which commit, where it is not the branch's newest. */
  commit?: string;
  /** Another version of the marketplace's app that the project is. */
  upgradeTo?: string;
}

/**
 * Queues a deployment of the project as it is now, or of a kept release, in the transaction `trx` that holds the
 * project's row. The newest request wins: earlier ones that have not begun are cancelled, and where one of them was to
 * clear the cache, the newest does.
 */
export async function queueDeployment(
  { queue, secrets }: { queue: DeploymentQueue; secrets: SecretsBox },
  trx: Kysely<Database>,
  project: Project,
  { start, clearCache = false, cause = '', commit, upgradeTo }: Asked & { start?: ReleaseStart } = {},
): Promise<{ id: string }> {
  const former = start?.former;
  const replaced = await trx
    .updateTable('deployments')
    .set({ status: 'cancelled', error: SUPERSEDED, finishedAt: sql`now()` })
    .where('projectId', '=', project.id)
    .where('status', '=', 'queued')
    .returning('clearCache')
    .execute();
  const source = former ?? { ...project, ...(upgradeTo !== undefined && { recipeVersion: upgradeTo }) };
  const { repositoryUrl, template, image, branch, framework, healthPath } = source;
  const recipe = recipeOf(source);
  const { variables, variableScopes } = await variablesFor({ trx, secrets }, project, start);
  const deployment = await trx
    .insertInto('deployments')
    .values({
      ownerId: project.ownerId,
      projectId: project.id,
      repositoryUrl,
      pushed: isPushed(source),
      commit: commit ?? null,
      template,
      recipe: recipe?.id ?? null,
      recipeVersion: recipe?.version ?? null,
      // What is built anew, or is of another version, may change the data for good.
      savesDisks: recipe !== null && (!start || recipe.version !== project.recipeVersion),
      image,
      cause,
      branch,
      framework,
      healthPath,
      runSettings: JSON.stringify(settingsFor(project, start)),
      clearCache: clearCache || replaced.some((deployment) => deployment.clearCache),
      variables: JSON.stringify(variables),
      variableScopes: JSON.stringify(variableScopes),
      ...(start && {
        kind: start.kind,
        rollbackOf: start.former.rollbackOf ?? start.former.id,
        commit: start.former.commit,
        commitMessage: start.former.commitMessage,
        imageDigest: start.former.imageDigest,
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queue.deploy(trx, { projectId: project.id, deploymentId: deployment.id });
  return deployment;
}

/** A rollback has the variables of what it goes back to; a start or a restart has the project's present ones. */
async function variablesFor(
  { trx, secrets }: { trx: Kysely<Database>; secrets: SecretsBox },
  { id }: Project,
  start: ReleaseStart | undefined,
): Promise<KeptVariables> {
  return start?.kind === 'rollback' ? start.former : effectiveVariables(trx, secrets, id);
}

/** How an app is run, as against how its release was built. */
const OF_RUNNING = ['startCommand', 'processes', 'port', 'healthTimeout', 'stopTimeout'] as const;

/**
 * A rollback has the settings of then. A start or a restart builds nothing either, but is how instances, limits and
 * commands are changed: it has the project's present settings, as far as they are not of the build.
 */
function settingsFor(project: Project, start: ReleaseStart | undefined): Record<string, unknown> {
  if (!start) return project.runSettings;
  if (start.kind === 'rollback') return start.former.runSettings;
  const settings = { ...start.former.runSettings };
  for (const name of OF_RUNNING) {
    delete settings[name];
    if (name in project.runSettings) settings[name] = project.runSettings[name];
  }
  return settings;
}
