import { type NewProject, type Upgrade, versionedName } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { compareVersions } from '../../core/program-version.ts';
import { byteSize } from '../../platform/byte-size.ts';
import { UNFINISHED } from '../deployments/attempt.ts';
import { addressAs } from '../projects/address-variable.ts';
import { effectiveVariables } from '../projects/effective-variables.ts';
import { stepsOf } from './answers.ts';
import type { AppProject } from './app-projects.ts';
import type { CatalogueItem } from './catalogue/item.ts';
import { environmentOf } from './make-step.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { newSettings } from './new-settings.ts';
import type { InstallationRow } from './read.ts';

const MB = 1024 ** 2;

/** Whether a catalogue has a newer version of an app than the one that runs. */
export function isNewer({ version }: Pick<CatalogueItem, 'version'>, { recipeVersion }: AppProject): boolean {
  return compareVersions(version, recipeVersion) > 0;
}

/** The last try to bring a project to a version that it does not run; undefined where it ran in that meanwhile. */
export async function lastTryOf({ db, ownerId }: UserContext, { id }: AppProject, version: string) {
  const last = await db
    .selectFrom('deployments')
    .select(['id', 'status', 'error'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .where('recipeVersion', '=', version)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last || last.status === 'running' || last.status === 'stopped') return undefined;
  return { ...last, isUnderWay: UNFINISHED.some((status) => status === last.status) };
}

/** The upgrade that is on its way, else the one that there could be, with how the last try to go there ended. */
export async function offeredUpgrade(
  ctx: UserContext,
  parts: MarketplaceParts,
  { row, project }: { row: InstallationRow; project: AppProject },
): Promise<Upgrade | null> {
  const item = parts.catalogue.find(({ id }) => id === row.itemId);
  if (!item || !isNewer(item, project)) return null;
  const last = await lastTryOf(ctx, project, item.version);
  if (project.hasOtherSource && !last?.isUnderWay) return null;
  return {
    version: item.version,
    changes: await changesOf(ctx, parts, { item, row, project }),
    deploymentId: last?.id ?? null,
    status: last?.status ?? null,
    error: last?.error ?? null,
  };
}

/** The variables that an item gives its app and a project lacks, its address too; new secrets are made for it. */
export async function missingVariables(
  { db }: UserContext,
  { deployments }: MarketplaceParts,
  { item, row, project }: { item: CatalogueItem; row: InstallationRow; project: AppProject },
): Promise<NonNullable<NewProject['variables']>> {
  const { variables } = await effectiveVariables(db, deployments.secrets, project.id);
  const defaults = Object.fromEntries(item.questions.map((question) => [question.name, question.default]));
  const environment = stepsOf(item, { ...defaults, ...row.inputs }).flatMap((step) =>
    step.kind === 'project' ? environmentOf(step, []) : [],
  );
  return [...environment, ...addressAs(item.recipe?.addressVariable, project)].filter(
    ({ name }) => !Object.hasOwn(variables, name),
  );
}

async function changesOf(
  ctx: UserContext,
  parts: MarketplaceParts,
  app: { item: CatalogueItem; row: InstallationRow; project: AppProject },
): Promise<string[]> {
  const { item, project } = app;
  const { version } = item;
  const added = (await missingVariables(ctx, parts, app)).map(({ name }) => name);
  const backups = await backupOf(ctx, project);
  const settings = newSettings(item, project).words;
  return [
    `${versionedName({ ...item, version: project.recipeVersion })} is replaced by ${version}.`,
    ...(added.length === 0 ? [] : [`New environment variables: ${added.join(', ')}.`]),
    ...(settings.length === 0 ? [] : [`New settings: ${settings.join(', ')}.`]),
    ...backups,
    backups.length === 0
      ? 'The app is offline while the new version starts.'
      : 'The app is offline while its disk is backed up and the new version starts.',
    `If ${version} fails its health check, ${project.recipeVersion} comes back by itself, with its data as it was.`,
  ];
}

async function backupOf({ db, ownerId }: UserContext, { id }: AppProject): Promise<string[]> {
  const disks = await db
    .selectFrom('projectDisks')
    .select(['name', 'size', 'bytes', 'measuredAt'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .orderBy('id')
    .execute();
  return disks.map(({ name, size, bytes, measuredAt }) => {
    const used = measuredAt === null ? '' : `, ${byteSize(bytes)} used`;
    return `The disk "${name}" (${byteSize(size * MB)}${used}) is backed up first.`;
  });
}
