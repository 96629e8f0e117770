import { posix } from 'node:path';
import { DETECTED_SETTINGS, type RunSettings } from '@nephos/contracts';
import { typedCommand } from './command-line.ts';
import {
  CannotRun,
  type Kept,
  type Plan,
  type PlannedCommand,
  type PlannedProcess,
  type SiteSource,
  type Tool,
  type VersionWish,
} from './plan.ts';
import { releaseOf, typedWeb, workersOf } from './procfile.ts';
import { siteOf } from './site.ts';
import type { Snapshot } from './snapshot.ts';

/** What a repository shows of how it is built and run, before anything that was set. */
export interface Found {
  language: 'nodejs' | 'python' | 'files';
  /** Of its framework. */
  name: string;
  manager: string | undefined;
  install: readonly PlannedCommand[];
  build: readonly PlannedCommand[];
  web?: PlannedProcess | undefined;
  site?: SiteSource | undefined;
  /** Why there is neither, as advice. */
  whyNot?: string;
  notes?: readonly string[];
  node?: VersionWish | undefined;
  framework?: Plan['framework'];
  python?: VersionWish | undefined;
  tools?: readonly Tool[];
  constraints?: string;
  buildEnvironment?: Readonly<Record<string, string>>;
  kept?: Kept;
}

const NOTHING_KEPT: Kept = { packages: undefined, packagesFrom: '', refresh: undefined, caches: [] };

/** What was found with what was set in its place. Throws `CannotRun` where nothing says what to run. */
export function planOf(snapshot: Snapshot, settings: RunSettings, found: Found): Plan {
  const { notes = [], tools = [], constraints = '', buildEnvironment = {}, kept = NOTHING_KEPT } = found;
  const install = typed(settings.installCommand, snapshot) ?? found.install;
  return {
    detected: detectedOf(snapshot, found),
    notes,
    node: found.node,
    framework: found.framework,
    python: found.python,
    tools,
    constraints,
    buildEnvironment,
    install,
    build: typed(settings.buildCommand, snapshot) ?? found.build,
    release: releaseOf(snapshot, settings),
    kept: settings.installCommand ? { ...kept, refresh: undefined } : kept,
    serve: serveOf(snapshot, settings, found),
  };
}

function typed(line: string, { folder }: Snapshot): PlannedCommand[] | undefined {
  if (line === '') return undefined;
  const { argv, expand } = typedCommand(line);
  // A build has no process whose environment we would expand words by: its shell does.
  return [{ argv: expand ? ['sh', '-c', line] : argv, folder, label: line }];
}

function serveOf(snapshot: Snapshot, settings: RunSettings, found: Found): Plan['serve'] {
  const said = found.language === 'files' ? undefined : typedWeb(snapshot, settings);
  if (said) return { kind: 'process', processes: [said, ...workersOf(snapshot, settings)] };
  if (settings.outputDirectory) {
    const mayBeSinglePage = found.site?.mayBeSinglePage ?? found.build.length > 0;
    return siteOf(snapshot, { folders: [settings.outputDirectory], mayBeSinglePage });
  }
  if (found.site) return found.site;
  if (found.web) return { kind: 'process', processes: [found.web, ...workersOf(snapshot, settings)] };
  throw new CannotRun(found.whyNot ?? 'Nothing says how to start it. Set a start command.', { lacks: true });
}

function detectedOf(
  snapshot: Snapshot,
  { language, name, manager, install, build, site, web }: Found,
): Plan['detected'] {
  const labels = (commands: readonly PlannedCommand[]) => commands.map(({ label }) => label).join(' && ');
  const said = language === 'files' ? undefined : typedWeb(snapshot, DETECTED_SETTINGS);
  const started = said ?? (site ? undefined : web);
  const folder = said ? undefined : site?.folders[0];
  const processes = started ? [started, ...workersOf(snapshot, DETECTED_SETTINGS)] : [];
  return {
    framework: name,
    runtime: null,
    packageManager: manager ?? null,
    installCommand: labels(install),
    buildCommand: labels(build),
    releaseCommand: releaseOf(snapshot, DETECTED_SETTINGS)?.label ?? '',
    outputDirectory: folder === undefined ? '' : posix.relative(`/${snapshot.folder}`, `/${folder}`),
    processes: processes.map((process) => ({ name: process.name, command: process.label })),
    port: null,
  };
}
