import type { NewProject, Upgrade } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { byteSize } from '../../platform/byte-size.ts';
import { UNFINISHED } from '../deployments/attempt.ts';
import { effectiveVariables } from '../projects/effective-variables.ts';
import { stepsOf } from './answers.ts';
import type { AppProject } from './app-projects.ts';
import type { CatalogueItem } from './catalogue/item.ts';
import { environmentOf } from './make-step.ts';
import type { MarketplaceParts } from './marketplace.ts';
import type { InstallationRow } from './read.ts';

const MB = 1024 ** 2;

/** By numbers where there are numbers: 1.10 is newer than 1.9. */
const versions = new Intl.Collator('en', { numeric: true });

/** Whether a catalogue has a newer version of an app than the one that runs. */
export function isNewer({ version }: Pick<CatalogueItem, 'version'>, { recipeVersion }: AppProject): boolean {
  return versions.compare(version, recipeVersion) > 0;
}

/** The last deployment that was an upgrade of a project. */
export async function lastUpgradeOf({ db, ownerId }: UserContext, { id }: AppProject) {
  const upgrade = await db
    .selectFrom('deployments')
    .select(['id', 'recipeVersion', 'status', 'error'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .where('savesDisks', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return upgrade && { ...upgrade, isUnderWay: UNFINISHED.some((status) => status === upgrade.status) };
}

/** The upgrade that is on its way, else the one that there could be, with how the last try to go there ended. */
export async function offeredUpgrade(
  ctx: UserContext,
  parts: MarketplaceParts,
  { row, project }: { row: InstallationRow; project: AppProject },
): Promise<Upgrade | null> {
  const item = parts.catalogue.find(({ id }) => id === row.itemId);
  if (!item) return null;
  const last = await lastUpgradeOf(ctx, project);
  if (!last?.isUnderWay && (project.hasOtherSource || !isNewer(item, project))) return null;
  const version = (last?.isUnderWay && last.recipeVersion) || item.version;
  const tried = last?.recipeVersion === version ? last : undefined;
  return {
    version,
    changes: await changesOf(ctx, parts, { item, row, project, version }),
    deploymentId: tried?.id ?? null,
    status: tried?.status ?? null,
    error: tried?.error ?? null,
  };
}

/** The variables that an item gives its app and a project lacks; new secrets are made for it. */
export async function missingVariables(
  { db }: UserContext,
  { deployments }: MarketplaceParts,
  { item, row, project }: { item: CatalogueItem; row: InstallationRow; project: AppProject },
): Promise<NonNullable<NewProject['variables']>> {
  const { variables } = await effectiveVariables(db, deployments.secrets, project.id);
  const defaults = Object.fromEntries(item.questions.map((question) => [question.name, question.default]));
  return stepsOf(item, { ...defaults, ...row.inputs })
    .flatMap((step) => (step.kind === 'project' ? environmentOf(step, []) : []))
    .filter(({ name }) => !Object.hasOwn(variables, name));
}

async function changesOf(
  ctx: UserContext,
  parts: MarketplaceParts,
  { version, ...app }: { item: CatalogueItem; row: InstallationRow; project: AppProject; version: string },
): Promise<string[]> {
  const { item, project } = app;
  const added = (await missingVariables(ctx, parts, app)).map(({ name }) => name);
  return [
    `${item.name} ${project.recipeVersion} is replaced by ${version}.`,
    ...(added.length === 0 ? [] : [`New environment variables: ${added.join(', ')}.`]),
    ...(await backupOf(ctx, project)),
    'The app is offline while its disk is backed up and the new version starts.',
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
    return `The disk ${name} (${byteSize(size * MB)}${used}) is backed up first.`;
  });
}
