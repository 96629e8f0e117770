import type { ImageName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { mirroredName } from './mirror/mirrored-name.ts';
import { findRepository, isInNamespace } from './registry/repositories.ts';

/** The registry's own host is how a project's image says that it is one of ours. */
export type OwnHost = Pick<Settings, 'publicUrl'>;

/** The repository that images built for a project go to, where `owner` and `project` are its rows. */
export const BUILD_REPOSITORY = sql<string>`owner.handle || '/' || project.slug`;

/** Whether an image's registry is this one. A port that its scheme has anyway says nothing. */
export function isOwnImage({ publicUrl }: OwnHost, { host }: ImageName): boolean {
  return URL.parse(`${publicUrl.protocol}//${host}`)?.host === publicUrl.host;
}

/**
 * Whether somebody's deployments may pull from a repository of this registry: it is theirs, there yet or not, or public,
 * or another registry's that is pulled through.
 */
export async function mayDeployFrom(
  db: Kysely<Database>,
  owner: { handle: string },
  repository: string,
): Promise<boolean> {
  if (isInNamespace(repository, owner.handle) || mirroredName(repository) !== undefined) return true;
  return (await findRepository(db, repository))?.isPublic === true;
}
