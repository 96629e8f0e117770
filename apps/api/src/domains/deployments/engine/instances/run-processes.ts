import { type RunnableServe, WEB } from '../detect/plan.ts';
import { typedProcess } from '../detect/procfile.ts';
import type { DeployedApp } from '../engine.ts';
import type { Limits } from '../limits.ts';
import type { RunProcess } from '../runtime.ts';

const MB = 1024 ** 2;

/**
 * What runs of a release: its processes and those that the settings add, with the settings' commands, instances and
 * limits. One without a command anywhere is left out.
 */
export function runProcesses(
  serve: RunnableServe,
  { settings, disks }: Pick<DeployedApp, 'settings' | 'disks'>,
  limits: Pick<Limits, 'appMemory' | 'processes'>,
): RunProcess[] {
  const planned = new Map(serve.processes.map((process) => [process.name, process]));
  // An image has a folder of its own, and nothing of the repository's.
  const folder = serve.kind === 'container' ? '' : settings.rootDirectory;
  for (const { name, command } of settings.processes) {
    if (command) planned.set(name, typedProcess(name, command, folder));
  }
  if (settings.startCommand) planned.set(WEB, typedProcess(WEB, settings.startCommand, folder));
  const set = new Map(settings.processes.map((process) => [process.name, process]));
  return [...planned.values()]
    .sort((a, b) => Number(b.name === WEB) - Number(a.name === WEB))
    .map((process) => {
      const { instances, memory, cpu, tasks } = set.get(process.name) ?? {};
      return {
        ...process,
        // Programs that keep files do not expect others of their kind beside them.
        instances: disks.length > 0 ? 1 : (instances ?? 1),
        limits: {
          memory: memory ?? limits.appMemory / MB,
          cpu: cpu ?? null,
          tasks: tasks ?? limits.processes,
        },
      };
    });
}

/** What a sentence calls one instance of a process. */
export function nameOfInstance({ name, instances }: RunProcess, instance: number): string {
  if (instances > 1) return `Instance ${instance} of ${name}`;
  return name === WEB ? 'The app' : `The process ${name}`;
}
