import { advise } from './advise.ts';
import { needsInstall, readPackageJson } from './package-json.ts';
import { packageManagerOf } from './package-manager.ts';
import { CannotRun, type Plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

/** Where the usual tools put a built site. */
export const OUTPUT_FOLDERS = ['dist', 'build', 'out', 'public', '_site'];

/** A build script's output, or else the repository's own files. */
export function detectStatic(snapshot: Snapshot, folder: string): Plan {
  const json = readPackageJson(snapshot);
  if (json?.scripts.build) {
    const manager = packageManagerOf(snapshot, json, folder);
    return {
      summary: `A static site, built by ${manager.install.label.split(' ', 1)}`,
      install: needsInstall(json) ? [manager.install] : [],
      build: [manager.run('build')],
      serve: { folders: OUTPUT_FOLDERS, built: true },
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
    `This repository has no index.html and no build script, which the framework static needs. ${advise('static', snapshot)}`,
  );
}
