import { advise } from './advise.ts';
import { plainWords } from './command-line.ts';
import { needsInstall, type PackageJson, readPackageJson } from './package-json.ts';
import { type PackageManager, packageManagerOf } from './package-manager.ts';
import { CannotRun, type Plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

const MAIN_FILES = ['server.js', 'index.js', 'server.mjs', 'index.mjs'];

/** Install by lock file, build script if there is one, then the start script or the main file. */
export function detectNodejs(snapshot: Snapshot, folder: string): Plan {
  const json = readPackageJson(snapshot);
  if (!json) {
    throw new CannotRun(
      `The repository has no package.json. Node.js apps need one. ${advise('nodejs', snapshot)}`,
    );
  }
  const manager = packageManagerOf(snapshot, json, folder);
  const serve = startOf(json, manager, snapshot);
  return {
    summary: `Node.js ${process.version}, ${manager.install.label.split(' ', 1)}`,
    install: needsInstall(json) ? [manager.install] : [],
    build: json.scripts.build ? [manager.run('build')] : [],
    serve: { kind: 'process', expand: false, ...serve },
  };
}

function startOf(json: PackageJson, manager: PackageManager, { names }: Snapshot) {
  const script = json.scripts.start;
  if (script) return startScript(json, script, manager);
  const main = json.main?.replace(/^\.\//, '');
  // A main file may be made by the build, so only a name that would be an option is refused.
  const file = main && !main.startsWith('-') ? main : MAIN_FILES.find((name) => names.has(name));
  if (file) return { argv: ['node', file], label: `node ${file}` };
  const hint = json.scripts.build ? ' If the build outputs a site, set the framework to static.' : '';
  throw new CannotRun(
    `package.json has neither a start script nor a main file, and there is no server.js or index.js.${hint}`,
  );
}

/** A plain script runs by itself, which saves the memory of npm and a shell beside each app. */
function startScript(json: PackageJson, script: string, manager: PackageManager) {
  const words = json.scripts.prestart || json.scripts.poststart ? undefined : plainWords(script);
  if (words) return { argv: words, label: script };
  // npm refuses to run scripts of a package.json that demands another manager.
  const own = /\b(pnpm|yarn)\b/.test(script) || json.devEngines !== undefined;
  return own ? manager.run('start') : { argv: ['npm', 'run', 'start'], label: 'npm run start' };
}
