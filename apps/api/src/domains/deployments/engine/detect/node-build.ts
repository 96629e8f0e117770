import { posix } from 'node:path';
import type { RunSettings } from '@nephos/contracts';
import type { Found } from './found.ts';
import type { NodeFramework } from './frameworks.ts';
import { needsInstall, type PackageJson, readPackageJson, uses } from './package-json.ts';
import { environmentOf, type PackageManager, toolsOf } from './package-manager.ts';
import type { PlannedCommand } from './plan.ts';
import type { FolderView, Snapshot } from './snapshot.ts';
import { nodeWish } from './versions.ts';
import { workspaceOf } from './workspace.ts';

export interface NodeProject {
  snapshot: Snapshot;
  json: PackageJson;
  manager: PackageManager;
  framework: NodeFramework | undefined;
  settings: RunSettings;
}

/** Everything of the build of a project with a package.json. */
export function nodeBuild(project: NodeProject) {
  const { snapshot, json, manager, framework, settings } = project;
  const workspace = workspaceOf(snapshot);
  const root = workspace === snapshot ? json : readPackageJson(workspace);
  const installs = needsInstall(json) || (root !== undefined && needsInstall(root));
  const typed = [
    settings.installCommand,
    settings.buildCommand,
    settings.startCommand,
    settings.releaseCommand,
  ];
  const { build = '', start = '' } = json.scripts;
  const lines = [...typed, build, start, snapshot.texts.Procfile ?? ''];
  const tools = toolsOf(lines, manager.tool);
  return {
    language: 'nodejs',
    manager: manager.name,
    install: installs ? [manager.install] : [],
    build: buildOf(project, workspace, root),
    node: nodeWish(snapshot, settings),
    framework: framework && { name: framework.name, package: framework.package, folder: snapshot.folder },
    tools,
    buildEnvironment: { ...environmentOf(tools), ...manager.environment, ...framework?.buildEnvironment },
    kept: {
      packages: installs && manager.hasFolders ? { kind: 'node', folder: manager.workspace } : undefined,
      packagesFrom: sourceOfPackages(workspace, snapshot),
      refresh: manager.refresh,
      caches: [...(framework?.caches ?? []), 'node_modules/.cache'].map((path) =>
        posix.join(snapshot.folder, path),
      ),
    },
  } satisfies Partial<Found>;
}

function buildOf(
  { snapshot, json, manager, framework }: NodeProject,
  workspace: FolderView,
  root?: PackageJson,
) {
  const script = json.scripts.build;
  // Packages of the same repository may have to be built first, and Turborepo knows which.
  if (script && workspace !== snapshot && workspace.names.has('turbo.json') && root && uses(root, 'turbo')) {
    const path = posix.relative(`/${workspace.folder}`, `/${snapshot.folder}`);
    const words = ['turbo', 'run', 'build', `--filter=./${path}`];
    return [command(manager.program(words), workspace.folder, words)];
  }
  if (script) return [manager.run('build')];
  if (!framework?.build) return [];
  return [command(manager.program(framework.build), snapshot.folder, framework.build)];
}

function command(argv: readonly string[], folder: string, said: readonly string[]): PlannedCommand {
  return { argv, folder, label: said.join(' ') };
}

/** Files whose texts decide which packages an install puts there. */
const SOURCES = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'],
  ...['pnpm-workspace.yaml', '.yarnrc.yml'],
];

function sourceOfPackages(...views: FolderView[]): string {
  return views
    .flatMap(({ folder, texts }) => SOURCES.map((name) => `${folder}/${name}\n${texts[name] ?? ''}`))
    .join('\n');
}
