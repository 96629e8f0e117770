import {
  appStateOf,
  DETECTED_SETTINGS,
  type DeploymentStatus,
  Detected,
  gitPath,
  type Project,
  RunSettings,
} from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { AppAddress } from '../../platform/host-address.ts';
import { type FindRecipe, recipeName } from './find-recipe.ts';
import { isPushed, takesPushes } from './pushed-source.ts';

/** What it takes to show a project. */
export interface ShowingParts {
  settings: Settings;
  appAddress: AppAddress;
  findRecipe: FindRecipe;
}

type LatestDeployment = Project['latestDeployment'];

/** What became of a project's newest deployment that was not cancelled, which is what its app's state goes by. */
export const newestOutcome = sql<Exclude<DeploymentStatus, 'cancelled'> | null>`(
  select status from deployments
  where project_id = projects.id and status <> 'cancelled'
  order by id desc limit 1
)`;

/** Someone's projects with the state of each one's app and its newest deployment: one query, so one moment. */
export function projectsOf(db: Kysely<Database>, ownerId: string | RawBuilder<string>) {
  return db
    .selectFrom('projects')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('deployments')
          .select(['deployments.id', 'deployments.status', 'deployments.createdAt'])
          .whereRef('deployments.projectId', '=', 'projects.id')
          .orderBy('deployments.id', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .where('projects.ownerId', '=', ownerId)
    .select([
      'projects.id',
      'projects.name',
      'projects.description',
      'projects.repositoryUrl',
      sql<boolean>`projects.repository_credentials is not null`.as('hasRepositoryToken'),
      'projects.pushed',
      'projects.template',
      'projects.recipe',
      'projects.recipeVersion',
      'projects.image',
      sql<string | null>`(select image_digest from deployments where id = projects.live_deployment_id)`.as(
        'imageDigest',
      ),
      sql<boolean>`projects.image_credentials is not null`.as('hasImageCredentials'),
      sql<boolean>`projects.dockerfile is not null`.as('hasDockerfile'),
      'projects.branch',
      'projects.framework',
      'projects.healthPath',
      'projects.runSettings',
      'projects.detected',
      'projects.slug',
      'projects.liveDeploymentId',
      'projects.createdAt',
      'latest.id as latestId',
      'latest.status as latestStatus',
      'latest.createdAt as latestCreatedAt',
      newestOutcome.as('outcome'),
    ]);
}

type ProjectRow = Awaited<ReturnType<ReturnType<typeof projectsOf>['execute']>>[number];

/** A row as the contract shows it. Named member by member: lists make many, and to copy the rest of a wide row is slow. */
export function projectOf(row: ProjectRow, { settings, appAddress, findRecipe }: ShowingParts): Project {
  const { recipe, recipeVersion } = row;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    repositoryUrl: row.repositoryUrl,
    hasRepositoryToken: row.hasRepositoryToken,
    pushUrl: takesPushes(row) ? gitUrl(row.slug, settings) : null,
    pushed: isPushed(row),
    template: row.template,
    recipe:
      recipe && recipeVersion
        ? { id: recipe, name: recipeName(findRecipe, recipe), version: recipeVersion }
        : null,
    image: row.image,
    imageDigest: row.imageDigest,
    hasImageCredentials: row.hasImageCredentials,
    branch: row.branch,
    framework: row.framework,
    healthPath: row.healthPath,
    settings: runSettingsOf(row.runSettings),
    detected: row.detected && Detected.parse(row.detected),
    hasDockerfile: row.hasDockerfile,
    slug: row.slug,
    url: appAddress(row.slug),
    state: appStateOf(row.liveDeploymentId !== null, row.outcome),
    latestDeployment: latestDeploymentOf(row.latestId, row.latestStatus, row.latestCreatedAt),
    liveDeploymentId: row.liveDeploymentId,
    createdAt: row.createdAt,
  };
}

/** The Dockerfile that was written for what a project's newest build found. Throws 404 where there is none. */
export async function readDockerfile(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  id: string,
): Promise<BytesAnswer> {
  const project = await db
    .selectFrom('projects')
    .select('dockerfile')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  const { dockerfile } = project ?? {};
  if (!dockerfile) throw notFound();
  return { type: 'text/plain; charset=utf-8', fileName: 'Dockerfile', body: () => dockerfile };
}

/** Made once: a schema is compiled at its first use, which costs far more than a row's parsing. */
const StoredSettings = RunSettings.partial();

/** Stored settings, which hold only what was set. */
export function runSettingsOf(stored: Record<string, unknown>): RunSettings {
  return { ...DETECTED_SETTINGS, ...StoredSettings.parse(stored) };
}

function latestDeploymentOf(
  id: ProjectRow['latestId'],
  status: ProjectRow['latestStatus'],
  createdAt: ProjectRow['latestCreatedAt'],
): LatestDeployment {
  return id && status && createdAt ? { id, status, createdAt } : null;
}

/** Where a project's own repository is pushed to. */
function gitUrl(slug: string, { publicUrl }: Settings): string {
  return publicUrl.origin + gitPath(slug);
}

/** Locks the project's row, so that two changes of one project follow each other; nothing when it is not theirs. */
export async function lockProject(db: Kysely<Database>, ownerId: string, id: string) {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Keeps a project from being deleted until the transaction ends. Taken before its deployments are changed, since a deletion
 * takes the project first as well: the two wait for each other otherwise.
 */
export async function holdProject(trx: Kysely<Database>, id: string): Promise<void> {
  await trx.selectFrom('projects').select('id').where('id', '=', id).forKeyShare().execute();
}

/** Refuses a project that is not theirs as one that is not there. */
export async function assertProject(db: Kysely<Database>, ownerId: string, id: string): Promise<void> {
  const project = await db
    .selectFrom('projects')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!project) throw notFound();
}
