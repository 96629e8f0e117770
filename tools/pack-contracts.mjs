import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { currentNode, packageFile, root, toolEnvironment } from './process.mjs';

const run = promisify(execFile);
const FOLDER = join('packages', 'contracts');
const DIST = join(root, FOLDER, 'dist');

/**
 * Packs the contract into `destination` as other services install it, with any package manager; the archive's path.
 * Beside its sources it cannot be packed: there it is read as TypeScript, and its versions are the catalogue's.
 * @param {string} destination
 * @returns {Promise<string>}
 */
export async function packContracts(destination) {
  rmSync(DIST, { recursive: true, force: true });
  const compiler = packageFile('.', 'typescript', 'bin/tsc');
  await run(currentNode(), [compiler, '-p', 'tsconfig.build.json'], { cwd: join(root, FOLDER) });
  writeFileSync(join(DIST, 'package.json'), JSON.stringify(publishedManifest(), null, 2));
  copyFileSync(join(root, FOLDER, 'README.md'), join(DIST, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(DIST, 'LICENSE'));
  mkdirSync(destination, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', `--pack-destination=${destination}`], {
    cwd: DIST,
    env: toolEnvironment(),
  });
  return join(destination, JSON.parse(stdout)[0].filename);
}

function publishedManifest() {
  const manifest = JSON.parse(readFileSync(join(root, FOLDER, 'package.json'), 'utf8'));
  const { name, version, description, license, type, sideEffects, exports, dependencies } = manifest;
  return {
    ...{ name, version, description, license, type, sideEffects },
    exports: mapValues(exports, compiled),
    dependencies: mapValues(dependencies, (_catalog, dependency) => `^${installedVersion(dependency)}`),
  };
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/** `./src/index.ts` as it is after the build. */
function compiled(source) {
  const file = source.replace(/^\.\/src\/(.*)\.ts$/, './$1');
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

function installedVersion(dependency) {
  return JSON.parse(readFileSync(packageFile(FOLDER, dependency, 'package.json'), 'utf8')).version;
}
