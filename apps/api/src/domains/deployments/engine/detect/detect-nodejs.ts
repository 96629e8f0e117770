import type { RunSettings } from '@nephos/contracts';
import { inFolder, plainWords } from './command-line.ts';
import { isDevServer } from './dev-server.ts';
import { type Found, planOf } from './found.ts';
import { frameworkOf, type NodeFramework } from './frameworks.ts';
import { nodeBuild } from './node-build.ts';
import { type PackageJson, readPackageJson } from './package-json.ts';
import { type PackageManager, packageManagerOf } from './package-manager.ts';
import { CannotRun, type Plan, type PlannedProcess, type SiteSource, WEB } from './plan.ts';
import { isForeign, typedWeb } from './procfile.ts';
import { siteOf, USUAL_FOLDERS } from './site.ts';
import type { Snapshot } from './snapshot.ts';

const MAIN_FILES = ['server.js', 'index.js', 'server.mjs', 'index.mjs', 'app.js', 'main.js'];

/** Install by lock file, the build, then what starts the app; a front end without a server is served as a site. */
export function detectNodejs(snapshot: Snapshot, settings: RunSettings): Plan {
  const json = readPackageJson(snapshot);
  if (!json) return withoutPackageJson(snapshot, settings);
  const manager = packageManagerOf(snapshot);
  const framework = frameworkOf(json, snapshot);
  const found: Found = {
    ...nodeBuild({ snapshot, json, manager, framework, settings }),
    name: framework?.name ?? 'Node.js',
    web: undefined,
    site: undefined,
    whyNot: '',
    notes: framework?.note ? [framework.note] : [],
  };
  const app: App = { json, manager, framework, snapshot };
  if (isFrontEnd(app)) return planOf(snapshot, settings, served(app, found));
  return planOf(snapshot, settings, { ...found, ...startOf(app) });
}

interface App {
  json: PackageJson;
  manager: PackageManager;
  framework: NodeFramework | undefined;
  snapshot: Snapshot;
}

/** An app without packages, that a Procfile or the settings know how to start. */
function withoutPackageJson(snapshot: Snapshot, settings: RunSettings): Plan {
  if (!typedWeb(snapshot, settings) || isForeign(snapshot, settings)) {
    throw new CannotRun('The repository has no package.json. Node.js apps need one.', { lacks: true });
  }
  return planOf(snapshot, settings, {
    language: 'nodejs',
    name: 'Node.js',
    manager: undefined,
    install: [],
    build: [],
  });
}

/** Whether what it makes is files alone: a start script, if it has one, runs a development server. */
function isFrontEnd({ json, framework }: App): boolean {
  const { start } = json.scripts;
  if (framework?.ignoresStart) return true;
  if (framework?.start) return false;
  if (framework?.output) return !start || isDevServer(json, start);
  return start !== undefined && json.scripts.build !== undefined && isDevServer(json, start);
}

function served({ json, framework, snapshot }: App, found: Found): Found {
  const name = framework?.name ?? 'It';
  const start = json.scripts.start;
  const why =
    start && !framework?.ignoresStart ? `, since its start script (${start}) runs a development server` : '';
  const site: SiteSource = siteOf(snapshot, {
    folders: framework?.output ?? USUAL_FOLDERS,
    mayBeSinglePage: framework === undefined || framework.isApp === true,
  });
  return {
    ...found,
    site,
    notes: [...(found.notes ?? []), `${name} builds a static site here. Its files are served${why}.`],
  };
}

function startOf(app: App): { web: PlannedProcess | undefined; whyNot: string } {
  const { json, manager, framework, snapshot } = app;
  const script = json.scripts.start;
  if (script && !(framework?.start && isDevServer(json, script))) {
    return { web: startScript(app, script), whyNot: '' };
  }
  const main = json.main?.replace(/^\.\//, '');
  // A main file may be made by the build, so only a name that would be an option is refused.
  const file = main && !main.startsWith('-') ? main : MAIN_FILES.find((name) => snapshot.names.has(name));
  const said = framework?.start ?? (file ? ['node', file] : undefined);
  if (said)
    return { web: processOf(framework?.start ? manager.program(said) : said, snapshot, said), whyNot: '' };
  const hint = json.scripts.build ? ' If the build outputs a site, set the framework to static.' : '';
  return {
    web: undefined,
    whyNot: `package.json has neither a start script nor a main file, and there is no server.js or index.js. Add a start script, or set a start command.${hint}`,
  };
}

/** A plain script runs by itself, which saves the memory of npm and a shell beside each app. */
function startScript({ json, manager, snapshot }: App, script: string): PlannedProcess {
  const words = json.scripts.prestart || json.scripts.poststart ? undefined : plainWords(script);
  if (words) return processOf(manager.program(words), snapshot, words);
  // npm refuses to run scripts of a package.json that demands another manager.
  const own = /\b(pnpm|yarn|bun)\b/.test(script) || json.devEngines !== undefined || !manager.hasFolders;
  return processOf(own ? manager.run('start').argv : ['npm', 'run', 'start'], snapshot);
}

function processOf(argv: readonly string[], { folder }: Snapshot, said = argv): PlannedProcess {
  return { name: WEB, argv: inFolder(folder, argv), expand: false, label: said.join(' ') };
}
