import { type Framework, type FrameworkDetectionItem, frameworkList } from '@vercel/frameworks';
import { advise } from './advise.ts';
import { needsInstall, type PackageJson, readPackageJson } from './package-json.ts';
import { packageManagerOf } from './package-manager.ts';
import { CannotRun, type Plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

/** Where most tools put a built site, asked for after the folder of the tool that is recognised. */
const USUAL_FOLDERS = ['dist', 'build', 'out', 'public', '_site'];

/** A build script's output, or else the repository's own files. */
export function detectStatic(snapshot: Snapshot, folder: string): Plan {
  const json = readPackageJson(snapshot);
  if (json?.scripts.build) {
    const manager = packageManagerOf(snapshot, json, folder);
    return {
      summary: `A static site, built by ${manager.install.label.split(' ', 1)}`,
      install: needsInstall(json) ? [manager.install] : [],
      build: [manager.run('build')],
      serve: { folders: outputFolders(json), built: true },
    };
  }
  const summary = 'A static site without a build';
  if (snapshot.names.has('index.html')) {
    return { summary, install: [], build: [], serve: { folders: ['.'], built: false } };
  }
  if (snapshot.publicIndex) {
    return { summary, install: [], build: [], serve: { folders: ['public'], built: false } };
  }
  throw new CannotRun(
    `The repository has no index.html and no build script. Static sites need one of them. ${advise('static', snapshot)}`,
  );
}

/**
 * Paths below the repository where its tools put a site, the likeliest first. Of the list of frameworks only the data is
 * used, by the packages that package.json names: the functions in it read files by path, and its regular expressions
 * could be kept busy for minutes by a text that is made for it.
 */
function outputFolders(json: PackageJson): string[] {
  const installed = new Set(Object.keys({ ...json.dependencies, ...json.devDependencies }));
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
