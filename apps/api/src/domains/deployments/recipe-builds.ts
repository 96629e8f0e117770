import { versionedName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';
import type { FindRecipe } from '../projects/find-recipe.ts';

type Source = Pick<
  Selectable<Database['deployments']>,
  'repositoryUrl' | 'image' | 'recipe' | 'recipeVersion'
>;

/** An app of the marketplace in one of its versions. */
interface RecipeBuild {
  id: string;
  version: string;
}

/** The app of the marketplace that is the source; null where there is none, or a repository or an image in its place. */
export function recipeOf({ repositoryUrl, image, recipe, recipeVersion }: Source): RecipeBuild | null {
  const isElsewhere = repositoryUrl !== '' || image !== '';
  return !isElsewhere && recipe && recipeVersion ? { id: recipe, version: recipeVersion } : null;
}

/**
 * Why an app of the marketplace can't be built in a version, in whole sentences; '' where it can. Its files are there in
 * the catalogue's version alone: a build by them would bring the data to that one, whatever version it is called.
 */
export function whyNotBuilt(findRecipe: FindRecipe, { id, version }: RecipeBuild): string {
  const known = findRecipe(id);
  if (!known) return `The marketplace no longer has ${id}.`;
  if (known.version === version) return '';
  return `${versionedName({ ...known, version })} can't be built any more, since the marketplace has ${known.version}. Upgrade it under Marketplace if it is still installed there; a restart applies changed variables.`;
}
