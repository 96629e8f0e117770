import { appItems } from './apps.ts';
import { containerItems } from './containers.ts';
import { databaseItems } from './databases.ts';
import { domainItems } from './domains.ts';
import type { CatalogueItem } from './item.ts';
import { mailItems } from './mail.ts';
import { mobileAppItems } from './mobile-apps.ts';
import { recipeItems } from './recipes.ts';

/** Everything that can be installed, in the order of the screen. */
export const CATALOGUE: readonly CatalogueItem[] = [
  ...appItems,
  ...recipeItems,
  ...databaseItems,
  ...containerItems,
  ...mailItems,
  ...domainItems,
  ...mobileAppItems,
];
