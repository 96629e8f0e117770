import { type ProjectChange, readSshAddress } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { forgetCommitStatus } from '../commit-statuses/service.ts';
import { addKey } from '../deploy-keys/project-key.ts';
import {
  admitImage,
  assertContainers,
  assertOneSource,
  credentialsAfter,
  storeCredentials,
} from './image-source.ts';
import type { ProjectsParts } from './projects.ts';
import { lockProject } from './read.ts';
import {
  type GivenRepository,
  repositoryCredentialsAfter,
  storeRepositoryCredentials,
} from './repository-credentials.ts';

export const NO_IMAGE = '';

type GivenImage = Pick<z.output<typeof ProjectChange>, 'image' | 'imageUsername' | 'imagePassword'>;

/** Checks another source, stores its credentials, and answers its image. Throws 404. */
export async function changeSource(
  ctx: UserContext,
  parts: ProjectsParts,
  { id, ...given }: GivenImage & GivenRepository & { id: string },
): Promise<{ image: string }> {
  // Before the project, as a push does, and so that no deletion of an image overlooks it.
  await lockAccount(ctx.db, ctx.ownerId);
  const project = await lockProject(ctx.db, ctx.ownerId, id);
  if (!project) throw notFound();
  const { image: former } = project;
  assertOneSource({
    repositoryUrl: given.repositoryUrl ?? project.repositoryUrl,
    image: given.image ?? former,
  });
  const { image, credentials } = await imageAfter(ctx, parts, former, given);
  if (credentials !== undefined) await storeCredentials(ctx, parts.secrets, id, credentials);
  await storeAccess(ctx, parts.secrets, project, given);
  return { image };
}

/** Keeps what a repository is read with: its token, and the key of one that is reached by SSH. */
export async function storeAccess(
  ctx: UserContext,
  secrets: SecretsBox,
  project: Pick<Selectable<Database['projects']>, 'id' | 'ownerId' | 'slug' | 'repositoryUrl'>,
  given: GivenRepository,
): Promise<void> {
  const access = repositoryCredentialsAfter(project.repositoryUrl, given);
  if (access !== undefined) {
    await storeRepositoryCredentials(ctx, secrets, project.id, access);
    await forgetCommitStatus(ctx, project.id);
  }
  if (given.repositoryUrl && readSshAddress(given.repositoryUrl)) await addKey(ctx.db, secrets, project);
}

/** A project's image and credentials after a change. One that stays is not checked again. */
export async function imageAfter(
  { db, ownerId }: UserContext,
  { settings, deployer }: ProjectsParts,
  former: string,
  given: GivenImage,
) {
  const { image = former } = given;
  const isNew = image !== '' && image !== former;
  if (isNew) assertContainers(deployer.containers());
  return {
    credentials: credentialsAfter(settings, former, given),
    image: isNew ? await admitImage(db, settings, { ownerId, image }) : image,
  };
}
