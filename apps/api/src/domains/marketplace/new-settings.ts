import { NewProject, type ProcessSettings, type RunSettings } from '@nephos/contracts';
import { DEFAULT_HEALTH_TIMEOUT, DEFAULT_MEMORY } from '@nephos/contracts/constants';
import { stepsOf } from './answers.ts';
import type { AppProject } from './app-projects.ts';
import type { CatalogueItem } from './catalogue/item.ts';

/** What an upgrade changes in the settings of its project. */
export interface NewSettings {
  healthPath?: string;
  settings?: Partial<RunSettings>;
}

/**
 * Settings that an item's app needs and its project does not have, and the same in a few words each. What is a matter of
 * size is raised to what the item has, and never lowered: people may have given it more.
 */
export function newSettings(
  item: CatalogueItem,
  { healthPath, settings }: Pick<AppProject, 'healthPath' | 'settings'>,
): { change: NewSettings; words: string[] } {
  const [step] = stepsOf(item).filter(({ kind }) => kind === 'project');
  if (step?.kind !== 'project' || !step.recipe) return { change: {}, words: [] };
  const wanted = NewProject.shape.settings.parse(step.input.settings) ?? {};
  const { builder = settings.builder, port = settings.port } = wanted;
  const healthTimeout = raised(settings.healthTimeout, wanted.healthTimeout, DEFAULT_HEALTH_TIMEOUT);
  const memory = raised(memoryOf(settings), memoryOf(wanted), DEFAULT_MEMORY);
  const change: Partial<RunSettings> = {
    ...(builder !== settings.builder && { builder }),
    ...(port !== settings.port && { port }),
    ...(healthTimeout !== undefined && { healthTimeout }),
    ...(memory !== undefined && { processes: withMemory(settings.processes, memory) }),
  };
  const isElsewhere = step.recipe.healthPath !== healthPath;
  return {
    change: {
      ...(isElsewhere && { healthPath: step.recipe.healthPath }),
      ...(Object.keys(change).length > 0 && { settings: change }),
    },
    words: [
      ...(isElsewhere ? [`health path ${step.recipe.healthPath}`] : []),
      ...('builder' in change ? [`built by ${builder === 'dockerfile' ? 'its Dockerfile' : 'npm'}`] : []),
      ...('port' in change ? [port === null ? 'no fixed port' : `port ${port}`] : []),
      ...('healthTimeout' in change ? [`health timeout ${healthTimeout} seconds`] : []),
      ...(memory === undefined ? [] : [`memory ${memory} MB`]),
    ],
  };
}

/** What there has to be where there is less; null stands for the platform's default. */
function raised(
  present: number | null,
  wanted: number | null | undefined,
  byDefault: number,
): number | undefined {
  const least = wanted ?? byDefault;
  return least > (present ?? byDefault) ? least : undefined;
}

/** MB of `web`. */
function memoryOf({ processes = [] }: Partial<RunSettings>): number | null {
  return processes.find(({ name }) => name === 'web')?.memory ?? null;
}

function withMemory(processes: readonly ProcessSettings[], memory: number): ProcessSettings[] {
  const web = { name: 'web', command: '', instances: null, cpu: null, tasks: null };
  const others = processes.filter(({ name }) => name !== 'web');
  return [{ ...web, ...processes.find(({ name }) => name === 'web'), memory }, ...others];
}
