import type { ProcessSettings, RunSettings } from '@nephos/contracts';
import { DEFAULT_MEMORY } from '@nephos/contracts/constants';

const NUMBER = new Intl.NumberFormat('en-US');

/** What gets an app's requests. */
export const WEB = 'web';

/** Everything by default, and the command from the repository. */
export function plainProcess(name: string): ProcessSettings {
  return { name, command: '', instances: null, memory: null, cpu: null, tasks: null };
}

export function isSame(name: string): (process: { name: string }) => boolean {
  return (process) => process.name === name;
}

export function without(processes: readonly ProcessSettings[], name: string): ProcessSettings[] {
  return processes.filter((process) => process.name !== name);
}

/** The list with this process in the place of the one of its name, or at the end. */
export function withProcess(
  processes: readonly ProcessSettings[],
  changed: ProcessSettings,
): ProcessSettings[] {
  const index = processes.findIndex(isSame(changed.name));
  return index < 0 ? [...processes, changed] : processes.with(index, changed);
}

/** `2 instances, each up to 1,024 MB of memory and 50% of a core`. */
export function describeLimits(
  { processes }: Pick<RunSettings, 'processes'>,
  name: string,
  { hasDisk }: { hasDisk: boolean },
): string {
  const { instances, memory, cpu } = processes.find(isSame(name)) ?? plainProcess(name);
  const count = hasDisk ? 1 : (instances ?? 1);
  const share = cpu === null ? '' : ` and ${NUMBER.format(cpu)}% of a core`;
  return `${count} ${count === 1 ? 'instance,' : 'instances, each'} up to ${NUMBER.format(memory ?? DEFAULT_MEMORY)} MB of memory${share}`;
}
