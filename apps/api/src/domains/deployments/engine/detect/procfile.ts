import type { RunSettings } from '@nephos/contracts';
import { inFolder, typedCommand } from './command-line.ts';
import { foreignOf } from './foreign.ts';
import { type PlannedProcess, WEB } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

const LINE = /^([A-Za-z0-9_-]{1,30}):[ \t]*(\S.*)$/gm;
const RELEASE = 'release';

/** The lines of a Procfile by the names of their processes. */
export function procfileOf({ texts }: Snapshot): ReadonlyMap<string, string> {
  const lines = (texts.Procfile ?? '').replaceAll('\r', '').matchAll(LINE);
  return new Map(
    [...lines].map(([, name = '', command = '']) => [
      name.toLowerCase().replaceAll('_', '-'),
      command.trim(),
    ]),
  );
}

/** A process that a person or a Procfile gives the command of. */
export function typedProcess(name: string, line: string, folder: string): PlannedProcess {
  const { argv, expand } = typedCommand(line);
  return { name, argv: inFolder(folder, argv), expand, label: line };
}

/** Workers: of the Procfile and of the settings, which win. */
export function workersOf(snapshot: Snapshot, settings: RunSettings): PlannedProcess[] {
  const commands = new Map(procfileOf(snapshot));
  for (const { name, command } of settings.processes) if (command !== '') commands.set(name, command);
  return [...commands]
    .filter(([name]) => name !== WEB && name !== RELEASE)
    .map(([name, command]) => typedProcess(name, command, snapshot.folder));
}

/** What `web` runs where it is said: in the settings, or in the Procfile. */
export function typedWeb(snapshot: Snapshot, settings: RunSettings): PlannedProcess | undefined {
  const line = setWeb(settings) || procfileOf(snapshot).get(WEB);
  return line ? typedProcess(WEB, line, snapshot.folder) : undefined;
}

/** Whether nothing but a Procfile says how to start what is plainly of a language that does not run here. */
export function isForeign(snapshot: Snapshot, settings: RunSettings): boolean {
  return !setWeb(settings) && foreignOf(snapshot.names) !== undefined;
}

function setWeb({ startCommand, processes }: RunSettings): string | undefined {
  return startCommand || processes.find(({ name }) => name === WEB)?.command;
}

export function releaseOf(snapshot: Snapshot, settings: RunSettings): PlannedProcess | undefined {
  const line = settings.releaseCommand || procfileOf(snapshot).get(RELEASE);
  return line ? typedProcess(RELEASE, line, snapshot.folder) : undefined;
}
