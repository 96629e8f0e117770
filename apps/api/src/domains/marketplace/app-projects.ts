import type { RunSettings } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { runSettingsOf } from '../projects/read.ts';
import type { InstallationRow } from './read.ts';

/** The project that an installed third-party app is. */
export interface AppProject {
  id: string;
  slug: string;
  recipeVersion: string;
  healthPath: string;
  settings: RunSettings;
  /** Whether it is deployed from something else by now. */
  hasOtherSource: boolean;
}

/** The project on a receipt. */
export function projectIdOf({ receipt }: Pick<InstallationRow, 'receipt'>): string | undefined {
  return receipt.find(({ kind }) => kind === 'project')?.id;
}

/** The projects of those installations that are third-party apps and are installed, by the installation's id. */
export async function appProjectsOf(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  rows: readonly InstallationRow[],
): Promise<Map<string, AppProject>> {
  const installed = rows.flatMap((row) => {
    const projectId = row.status === 'installed' && projectIdOf(row);
    return projectId ? [{ id: row.id, projectId }] : [];
  });
  if (installed.length === 0) return new Map();
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'slug', 'recipeVersion', 'repositoryUrl', 'image', 'healthPath', 'runSettings'])
    .where('ownerId', '=', ownerId)
    .where(
      'id',
      'in',
      installed.map(({ projectId }) => projectId),
    )
    .where('recipe', 'is not', null)
    .execute();
  const byId = new Map(projects.map((project) => [project.id, project]));
  return new Map(
    installed.flatMap(({ id, projectId }) => {
      const project = byId.get(projectId);
      if (!project?.recipeVersion) return [];
      const { recipeVersion, repositoryUrl, image, runSettings, ...rest } = project;
      const hasOtherSource = repositoryUrl !== '' || image !== '';
      return [[id, { ...rest, recipeVersion, hasOtherSource, settings: runSettingsOf(runSettings) }]];
    }),
  );
}
