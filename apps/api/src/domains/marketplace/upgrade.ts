import { type Installation, versionedName } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { queueNewest } from '../deployments/service.ts';
import { lockProject } from '../projects/read.ts';
import { updateProject } from '../projects/service.ts';
import { setVariables } from '../projects/variables.ts';
import { inTransaction } from './act-as.ts';
import { stepsOf } from './answers.ts';
import { appProjectsOf } from './app-projects.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { newSettings } from './new-settings.ts';
import { isNewer, lastTryOf, missingVariables } from './offered-upgrade.ts';
import { type InstallationRow, installationsOf, readInstallation } from './read.ts';
import { assertCanBeMade, assertMayInstall } from './service.ts';

/**
 * Queues the deployment of an installed app's newest version, which saves its disks first, with the variables and settings
 * that this version needs in addition. Throws 404 NOT_INSTALLED, 409 where there is nothing to go to, and what installing throws.
 */
export async function upgrade(ctx: UserContext, parts: MarketplaceParts, id: string): Promise<Installation> {
  return inTransaction(ctx, async (inner) => {
    const row = await lockInstalled(inner, id);
    await assertMayInstall(inner, parts);
    const { item, project } = await appOf(inner, parts, row);
    assertCanBeMade(inner, parts, stepsOf(item, row.inputs));
    const variables = await missingVariables(inner, parts, { item, row, project });
    await setVariables(inner, parts.projects.secrets, { id: project.id, variables });
    await updateProject(inner, parts.projects, { id: project.id, ...newSettings(item, project).change });
    const current = await lockProject(inner.db, inner.ownerId, project.id);
    if (!current) throw gone();
    await queueNewest(inner.db, parts.deployments, current, { upgradeTo: item.version });
    return readInstallation(inner, parts, row);
  });
}

/** Taken before the project, as an uninstallation does. */
async function lockInstalled({ db, ownerId }: UserContext, id: string): Promise<InstallationRow> {
  const row = await installationsOf(db, ownerId)
    .where('itemId', '=', id)
    .where('status', '=', 'installed')
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('NOT_INSTALLED', 'This item is not installed.');
  return row;
}

/** What is to be upgraded, under the lock of its project, so that of two calls one finds the other's upgrade. */
async function appOf(ctx: UserContext, { catalogue }: MarketplaceParts, row: InstallationRow) {
  const item = catalogue.find((one) => one.id === row.itemId);
  if (!item?.recipe) throw conflict('NEWEST_VERSION', 'This item has no newer version.');
  const { name } = item;
  const [listed] = (await appProjectsOf(ctx, [row])).values();
  if (!listed || !(await lockProject(ctx.db, ctx.ownerId, listed.id))) throw gone();
  // As it is now that nothing else changes it.
  const [project = listed] = (await appProjectsOf(ctx, [row])).values();
  if (!isNewer(item, project)) {
    throw conflict(
      'NEWEST_VERSION',
      `${versionedName({ name, version: project.recipeVersion })} is the newest version.`,
    );
  }
  if ((await lastTryOf(ctx, project, item.version))?.isUnderWay) {
    throw conflict('UPGRADE_IN_PROGRESS', `An upgrade of ${name} is in progress. Wait for it to finish.`);
  }
  if (project.hasOtherSource) {
    throw conflict(
      'OTHER_SOURCE',
      `The project is deployed from another source now, and is no longer ${name}.`,
    );
  }
  return { item, project };
}

function gone() {
  return conflict(
    'PROJECT_GONE',
    'The project of this installation was deleted. Uninstall the item, then install it again.',
  );
}
