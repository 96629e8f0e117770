import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';

type Source = Pick<Selectable<Database['projects']>, 'repositoryUrl' | 'image'>;

/** Whether a project, or a deployment of one, is built from what was pushed to the project's own repository. */
export function isPushed(source: Source & { pushed: boolean }): boolean {
  return source.pushed && hasNoOther(source);
}

/** Whether a push may deploy a project: it has no repository elsewhere, no image, and is no app of the marketplace. */
export function takesPushes(source: Source & { recipe: string | null }): boolean {
  return source.recipe === null && hasNoOther(source);
}

function hasNoOther({ repositoryUrl, image }: Source): boolean {
  return repositoryUrl === '' && image === '';
}
