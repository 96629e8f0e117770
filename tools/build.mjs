import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, fingerprint, stampFile } from './fingerprint.mjs';
import { currentNode, packageFile, root, runQuietly, say } from './process.mjs';

const ADVICE =
  'The web app could not be built (see above). `npm run check` says more about a mistake in the sources.';
const NO_INPUT = new Set(['node_modules', 'dist', 'e2e', 'test', 'screenshots', 'routeTree.gen.ts']);

const WEB = join(root, 'apps', 'web');
const STRIP = join(root, 'tools', 'strip-types.mjs');

/** Whether the built web app is of the same sources. */
export function isWebBuilt() {
  return stampFile('built').read() === fingerprint(inputs()) && existsSync(join(WEB, 'dist', 'index.html'));
}

/** Builds the web app, unless it is built. */
export async function buildWeb() {
  if (isWebBuilt()) return;
  const stamp = stampFile('built');
  const wanted = fingerprint(inputs());
  say('Building the web app…');
  stamp.clear();
  const vite = packageFile('apps/web', 'vite', 'bin/vite.js');
  await runQuietly(currentNode(), [vite, 'build'], { advice: ADVICE, cwd: WEB });
  stamp.write(wanted);
}

/** Strips the server's sources of their types, unless that is done: they are not taken away where they are needed. */
export async function stripTypes() {
  const stamp = stampFile('stripped');
  const sources = serverSources();
  const wanted = fingerprint(sources);
  if (stamp.read() === wanted) return;
  stamp.clear();
  await runQuietly(currentNode(), [STRIP, ...sources], {
    advice: 'The sources could not be read (see above).',
  });
  stamp.write(wanted);
}

/** The files that the server is made of. */
function serverSources() {
  const folders = ['apps/api/src', 'packages/contracts/src', 'packages/db/src'];
  const isSource = (name) => !name.includes('.') || (name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return folders.flatMap((folder) => filesBelow(folder, isSource));
}

function inputs() {
  const shared = ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json'];
  // The markup of the login pages names the classes that their style sheet is made of.
  const folders = ['apps/web', 'packages/contracts', 'apps/api/src/domains/auth'];
  return [...shared, ...folders.flatMap((folder) => filesBelow(folder, isInput))];
}

function isInput(name) {
  return !NO_INPUT.has(name) && !name.startsWith('.') && !/\.test\.tsx?$|\.(tsbuildinfo|md)$/.test(name);
}
