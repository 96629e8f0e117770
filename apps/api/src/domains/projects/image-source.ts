import { type ImageName, imageReferenceOf, readImageName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { invalid, unavailable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { isOwnImage, mayDeployFrom } from '../containers/own-images.ts';
import type { ContainerState, JobImage } from '../deployments/engine/engine.ts';
import { faultOfRegistry } from '../deployments/engine/source/image-address.ts';
import { readOwner } from '../workspaces/workspace-columns.ts';
import { PRIVATE_ADDRESSES } from './runnable.ts';

type Credentials = NonNullable<JobImage['credentials']>;

/** What is typed of an image's source: an absent field stays as it is. */
interface GivenImage {
  image?: string | undefined;
  imageUsername?: string | undefined;
  imagePassword?: string | undefined;
}

interface Source {
  repositoryUrl: string;
  image: string;
}

function refuse(path: string, message: string): never {
  throw invalid(message, [{ path, message }]);
}

/**
 * Refuses a project that would have two sources. A template counts at its creation alone, and gives way to what is set
 * later.
 */
export function assertOneSource({ repositoryUrl, image }: Source, template?: string): void {
  const sources = [repositoryUrl, image, template].filter(Boolean);
  if (sources.length < 2) return;
  refuse(template ? 'template' : 'image', 'Choose one source: a repository, a template or an image.');
}

/** Refuses an image where apps do not run in containers. */
export function assertContainers({ available, reason }: ContainerState): void {
  if (!available) throw unavailable(reason);
}

/**
 * The image as it is stored: one of our own registry has the registry's own name. Throws 400 for one that its owner
 * cannot pull, as for one that is not there, and for a registry that only a setting admits.
 */
export async function admitImage(
  db: Kysely<Database>,
  settings: Settings,
  { ownerId, image }: { ownerId: string; image: string },
): Promise<string> {
  const name = nameOf(image);
  if (isOwnImage(settings, name)) {
    const owner = await readOwner(db, ownerId);
    if (!owner || !(await mayDeployFrom(db, owner, name.path))) {
      refuse('image', `${name.path} wasn't found in this registry.`);
    }
    return imageReferenceOf({ ...name, host: settings.publicUrl.host });
  }
  const fault = faultOfRegistry(name, settings.allowPrivateRepositories);
  if (fault === undefined) return image;
  const remedy = faultOfRegistry(name, true) === undefined ? PRIVATE_ADDRESSES : '';
  return refuse('image', `This registry is not allowed: ${fault}.${remedy}`);
}

/** What was validated by the contract. */
function nameOf(image: string): ImageName {
  const name = readImageName(image);
  if (!name) throw new Error(`${image} is no image reference`);
  return name;
}

/**
 * The credentials that a change leaves: `undefined` for those that are there, null for none. They belong to a host, and
 * are never sent to another.
 */
export function credentialsAfter(
  settings: Settings,
  former: string,
  { image = former, imageUsername, imagePassword }: GivenImage,
): Credentials | null | undefined {
  const given = imageUsername !== undefined || imagePassword !== undefined;
  if (!given) return image !== '' && hostOf(image) === hostOf(former) ? undefined : null;
  const [username = '', password = ''] = [imageUsername, imagePassword];
  if (username === '' && password === '') return null;
  if (username === '') refuse('imageUsername', 'Enter the username as well.');
  if (password === '') refuse('imagePassword', 'Enter the password as well.');
  if (image === '') refuse('imageUsername', 'Only an image has credentials.');
  if (isOwnImage(settings, nameOf(image))) {
    refuse('imageUsername', 'Images of this registry need no credentials.');
  }
  return { username, password };
}

function hostOf(image: string): string | undefined {
  return readImageName(image)?.host;
}

/** Keeps them sealed, or none. */
export async function storeCredentials(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  secrets: SecretsBox,
  projectId: string,
  credentials: Credentials | null,
): Promise<void> {
  const imageCredentials = credentials && secrets.seal(JSON.stringify(credentials), contextOf(projectId));
  await db
    .updateTable('projects')
    .set({ imageCredentials })
    .where('ownerId', '=', ownerId)
    .where('id', '=', projectId)
    .execute();
}

/** What `storeCredentials` has sealed. Never for an answer. */
export function openCredentials(secrets: SecretsBox, projectId: string, sealed: Buffer): Credentials {
  // What we sealed ourselves.
  return JSON.parse(secrets.open(sealed, contextOf(projectId))) as Credentials;
}

function contextOf(projectId: string): string {
  return `${projectId}:image credentials`;
}
