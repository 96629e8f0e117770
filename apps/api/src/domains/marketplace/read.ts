import type { Installation } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { type AppProject, appProjectsOf } from './app-projects.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { offeredUpgrade } from './offered-upgrade.ts';

export type InstallationRow = Selectable<Database['installations']>;

export function installationsOf(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom('installations').selectAll().where('ownerId', '=', ownerId);
}

/** Rows as the contract shows them, in their order. */
export async function readInstallations(
  ctx: UserContext,
  parts: MarketplaceParts,
  rows: readonly InstallationRow[],
): Promise<Installation[]> {
  const projects = await appProjectsOf(ctx, rows);
  const shown: Installation[] = [];
  for (const row of rows) {
    const project = projects.get(row.id);
    const upgrade = project ? await offeredUpgrade(ctx, parts, { row, project }) : null;
    shown.push(installationOf(row, project, upgrade));
  }
  return shown;
}

export async function readInstallation(
  ctx: UserContext,
  parts: MarketplaceParts,
  row: InstallationRow,
): Promise<Installation> {
  const [installation] = await readInstallations(ctx, parts, [row]);
  if (!installation) throw new Error('a row is no installation');
  return installation;
}

/** Where to open it once that is there, and why it failed once that is final. */
function installationOf(
  { status, url, error, version, inputs: _, secretInputs: __, ...row }: InstallationRow,
  project: AppProject | undefined,
  upgrade: Installation['upgrade'],
): Installation {
  return {
    ...row,
    status,
    version: project?.recipeVersion ?? version,
    url: status === 'installed' ? url : '',
    error: status === 'failed' ? error : '',
    upgrade,
  };
}
