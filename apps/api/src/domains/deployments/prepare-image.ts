import { type ImageName, imageReferenceOf, readImageName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { Hopeless } from '../../platform/persistently.ts';
import { type Resolve, resolveHost } from '../../platform/public-address.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { BUILD_REPOSITORY, isOwnImage, mayDeployFrom } from '../containers/own-images.ts';
import type { RegistryTokens } from '../containers/registry/registry-token.ts';
import { removeFormerImage } from '../containers/release-sweep.ts';
import { openCredentials } from '../projects/image-source.ts';
import { readOwner } from '../workspaces/workspace-columns.ts';
import type { Attempt } from './attempt.ts';
import type { DeployedApp, JobImage } from './engine/engine.ts';
import { checkRegistry } from './engine/source/image-address.ts';
import { StepFailure } from './engine/step-failure.ts';

export interface ImageParts {
  db: Kysely<Database>;
  settings: Settings;
  secrets: SecretsBox;
  /** Log deployments in to our own registry. */
  tokens: Pick<RegistryTokens, 'issueLogin'>;
  resolve?: Resolve;
}

/**
 * The image that a deployment pulls, with what its registry asks for: null where it builds one, or starts a release,
 * whose image is there whatever became of it in its registry. Throws `StepFailure` of the step pull, where its registry
 * must not be asked.
 */
export async function prepareImage(parts: ImageParts, attempt: Attempt): Promise<JobImage | null> {
  const name = readImageName(attempt.image);
  if (!name || attempt.kind !== 'deploy') return null;
  const { settings, resolve = resolveHost } = parts;
  if (!isOwnImage(settings, name)) {
    await checkRegistry(name, { allowPrivate: settings.allowPrivateRepositories, resolve });
  }
  return withCredentials(parts, attempt, name);
}

/** The very image of a kept release, for other machines that run it; null where no registry has it. */
export async function imageOfRelease(
  parts: ImageParts,
  { deploymentId, rollbackOf }: Pick<DeployedApp, 'deploymentId' | 'rollbackOf'>,
): Promise<JobImage | null> {
  const release = await parts.db
    .selectFrom('deployments')
    .innerJoin('projects as project', 'project.id', 'deployments.projectId')
    .innerJoin('workspaces as owner', 'owner.id', 'deployments.ownerId')
    .select(['deployments.ownerId', 'deployments.projectId', 'deployments.image', 'imageDigest'])
    .select(BUILD_REPOSITORY.as('built'))
    .where('deployments.id', '=', rollbackOf ?? deploymentId)
    .executeTakeFirst();
  if (!release?.imageDigest) return null;
  const { image, imageDigest: digest, built } = release;
  const name = readImageName(image || `${parts.settings.publicUrl.host}/${built}`);
  if (!name) return null;
  return withCredentials(parts, release, { ...name, digest }).catch((error: unknown) => {
    // Its owner has hidden it since: it stays where it was pulled.
    if (error instanceof StepFailure) return null;
    throw error;
  });
}

async function withCredentials(
  parts: ImageParts,
  project: { ownerId: string; projectId: string },
  name: ImageName,
): Promise<JobImage> {
  const credentials = isOwnImage(parts.settings, name)
    ? await logIn(parts, project.ownerId, name.path)
    : await storedCredentials(parts, project, name.host);
  return { reference: imageReferenceOf(name), credentials };
}

/**
 * Where an image that a deployment builds goes: below its owner's handle, in a repository of the project's own. Throws
 * `StepFailure` where that is public already, which was decided about other images.
 */
export async function imageTarget(
  { db, settings, tokens }: ImageParts,
  { id, ownerId, projectId }: Pick<Attempt, 'id' | 'ownerId' | 'projectId'>,
): Promise<JobImage> {
  const target = await db
    .selectFrom('projects as project')
    .innerJoin('workspaces as owner', 'owner.id', 'project.ownerId')
    .leftJoin('containerRepositories as repository', (join) =>
      join.on('repository.name', '=', BUILD_REPOSITORY),
    )
    .where('project.ownerId', '=', ownerId)
    .where('project.id', '=', projectId)
    .select([BUILD_REPOSITORY.as('name'), 'owner.handle', 'repository.isPublic'])
    .executeTakeFirst();
  if (!target) throw new Hopeless('the project of the deployment is gone');
  const { name, handle, isPublic } = target;
  if (isPublic) {
    const remedy = 'Make it private in the container registry, then deploy again.';
    throw new StepFailure(
      'build',
      `The image could not be stored: the repository ${name} is public. ${remedy}`,
    );
  }
  await removeFormerImage({ db, ownerId }, settings, id);
  const password = await tokens.issueLogin({
    deployer: ownerId,
    grants: [{ name, actions: ['pull', 'push'] }],
  });
  return {
    reference: `${settings.publicUrl.host}/${name}:${id}`,
    credentials: { username: handle, password },
  };
}

async function logIn({ db, tokens }: ImageParts, ownerId: string, repository: string) {
  const owner = await readOwner(db, ownerId);
  if (!owner || !(await mayDeployFrom(db, owner, repository))) {
    throw new StepFailure('pull', `Failed to pull the image: ${repository} wasn't found in this registry.`);
  }
  const password = await tokens.issueLogin({
    deployer: owner.id,
    grants: [{ name: repository, actions: ['pull'] }],
  });
  return { username: owner.handle, password };
}

/** The project's present ones, as far as they are for that host. */
async function storedCredentials(
  { db, secrets }: ImageParts,
  { projectId }: { projectId: string },
  host: string,
) {
  const project = await db
    .selectFrom('projects')
    .select(['image', 'imageCredentials'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!project?.imageCredentials || readImageName(project.image)?.host !== host) return null;
  return openCredentials(secrets, projectId, project.imageCredentials);
}
