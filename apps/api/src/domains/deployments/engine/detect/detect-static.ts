import { createRequire } from 'node:module';
import type { RunSettings } from '@nephos/contracts';
import type { Framework, FrameworkDetectionItem } from '@vercel/frameworks';
import { type Found, planOf } from './found.ts';
import { frameworkOf } from './frameworks.ts';
import { nodeBuild } from './node-build.ts';
import { type PackageJson, readPackageJson } from './package-json.ts';
import { packageManagerOf } from './package-manager.ts';
import { CannotRun, type Plan } from './plan.ts';
import { siteOf, USUAL_FOLDERS } from './site.ts';
import type { Snapshot } from './snapshot.ts';

/** What a plan may count on where its commands run. */
export interface Programs {
  hugo: boolean;
  /** Whether they run in containers, so that a Dockerfile can bring what is missing. */
  containers: boolean;
}

/** A build's output, or else the repository's own files. */
export function detectStatic(snapshot: Snapshot, settings: RunSettings, programs: Programs): Plan {
  const json = readPackageJson(snapshot);
  const framework = json && frameworkOf(json, snapshot);
  if (json && (json.scripts.build || framework?.build)) return builtSite(snapshot, settings, json);
  const plain: Found = { language: 'files', name: 'Static site', manager: undefined, install: [], build: [] };
  const files = (folder: string) =>
    planOf(snapshot, settings, {
      ...plain,
      site: siteOf(snapshot, { folders: [folder], mayBeSinglePage: false }),
    });
  if (isHugo(snapshot)) return hugoSite(snapshot, settings, programs);
  if (snapshot.names.has('index.html')) return files('.');
  if (snapshot.publicIndex) return files('public');
  if (settings.outputDirectory || settings.buildCommand) {
    return planOf(snapshot, settings, {
      ...plain,
      site: siteOf(snapshot, { folders: USUAL_FOLDERS, mayBeSinglePage: true }),
    });
  }
  throw new CannotRun(
    'The repository has no index.html and no build script. Static sites need one of them.',
    {
      lacks: true,
    },
  );
}

function builtSite(snapshot: Snapshot, settings: RunSettings, json: PackageJson): Plan {
  const framework = frameworkOf(json, snapshot);
  const manager = packageManagerOf(snapshot);
  const needsServer = framework?.start && !framework.output;
  return planOf(snapshot, settings, {
    ...nodeBuild({ snapshot, json, manager, framework, settings }),
    name: framework?.name ?? 'Static site',
    notes: framework?.note ? [framework.note] : [],
    site: siteOf(snapshot, {
      folders: [...new Set([...(framework?.output ?? []), ...outputFolders(json)])],
      mayBeSinglePage: !framework || framework.isApp === true,
      advice: needsServer
        ? ` ${framework.name} needs a server unless it is exported. Set the framework to nodejs.`
        : '',
    }),
  });
}

const HUGO_FILES = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'];
const HUGO_FOLDERS = ['archetypes', 'content', 'layouts', 'themes'];

function isHugo({ names }: Snapshot): boolean {
  if (HUGO_FILES.some((name) => names.has(name))) return true;
  const config = ['config.toml', 'config.yaml', 'config.yml', 'config'].some((name) => names.has(name));
  return config && HUGO_FOLDERS.filter((name) => names.has(name)).length > 1;
}

/** Hugo is one program; where the server has none, npm brings it to a repository that asks for it. */
function hugoSite(snapshot: Snapshot, settings: RunSettings, { hugo, containers }: Programs): Plan {
  if (!hugo && !settings.buildCommand) {
    throw new CannotRun(
      containers
        ? 'This is a Hugo site. Add a package.json with the npm package hugo-extended, or a Dockerfile that brings Hugo.'
        : "This is a Hugo site, and Hugo isn't installed on this server. Install it (on Debian, apt-get install hugo), or add a package.json with the npm package hugo-extended.",
    );
  }
  const argv = ['hugo', '--gc', '--minify', '--baseURL', '/'];
  return planOf(snapshot, settings, {
    language: 'files',
    name: 'Hugo',
    manager: undefined,
    install: [],
    build: [{ argv, folder: snapshot.folder, label: argv.join(' ') }],
    site: siteOf(snapshot, { folders: ['public'], mayBeSinglePage: false }),
  });
}

/**
 * Paths below the project where its tools put a site, the likeliest first. Of the list of frameworks only the data is
 * used, by the packages that package.json names: the functions in it read files by path, and its regular expressions
 * could be kept busy for minutes by a text that is made for it.
 */
function outputFolders(json: PackageJson): string[] {
  const installed = new Set(Object.keys({ ...json.dependencies, ...json.devDependencies }));
  // It takes 10 MB of memory, which a server that builds nothing does not need.
  const { frameworkList }: typeof import('@vercel/frameworks') = createRequire(import.meta.url)(
    '@vercel/frameworks',
  );
  const recognised = frameworkList
    .filter((framework) => usesPackages(framework, installed))
    .flatMap(
      ({ settings: { outputDirectory } }) => ('value' in outputDirectory && outputDirectory.value) || [],
    );
  return [...new Set([...recognised, ...USUAL_FOLDERS])];
}

function usesPackages({ detectors = {} }: Framework, installed: ReadonlySet<string>): boolean {
  const { every = [], some = every } = detectors;
  const isInstalled = ({ matchPackage }: FrameworkDetectionItem) =>
    matchPackage !== undefined && installed.has(matchPackage);
  return every.every(isInstalled) && some.some(isInstalled);
}
