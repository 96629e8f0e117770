/** What the catalogue has of an app of the marketplace, by the recipe's id; undefined where it has it no longer. */
export type FindRecipe = (id: string) => { name: string; version: string } | undefined;

/** How an app is called, also one that the catalogue has no longer. */
export function recipeName(findRecipe: FindRecipe, id: string): string {
  return findRecipe(id)?.name ?? id;
}
