import { type PlannedProcess, type Serve, WEB } from '../detect/plan.ts';
import { typedProcess } from '../detect/procfile.ts';
import type { DeployedApp } from '../engine.ts';
import type { Limits } from '../limits.ts';
import type { RunLimits } from './run-limits.ts';

/** A process of an app with what each of its instances gets. */
export interface RunProcess extends PlannedProcess {
  instances: number;
  limits: RunLimits;
}

const MB = 1024 ** 2;

/**
 * What runs of a release: its processes and those that the settings add, with the settings' commands, instances and
 * limits. One without a command anywhere is left out.
 */
export function runProcesses(
  serve: Extract<Serve, { kind: 'process' }>,
  { settings, disks }: Pick<DeployedApp, 'settings' | 'disks'>,
  limits: Pick<Limits, 'appMemory' | 'processes'>,
): RunProcess[] {
  const planned = new Map(serve.processes.map((process) => [process.name, process]));
  for (const { name, command } of settings.processes) {
    if (command) planned.set(name, typedProcess(name, command, settings.rootDirectory));
  }
  if (settings.startCommand)
    planned.set(WEB, typedProcess(WEB, settings.startCommand, settings.rootDirectory));
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
