import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, fingerprint, stampFile } from './fingerprint.mjs';
import { currentNode, packageFile, root, runQuietly, say } from './process.mjs';

const ADVICE =
  'The web app could not be built (see above). `npm run check` says more about a mistake in the sources.';
const NO_INPUT = new Set(['node_modules', 'dist', 'e2e', 'test', 'screenshots', 'routeTree.gen.ts']);

const WEB = join(root, 'apps', 'web');

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

function inputs() {
  const shared = ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json'];
  // The markup of the login pages names the classes that their style sheet is made of.
  const folders = ['apps/web', 'packages/contracts', 'apps/api/src/domains/auth'];
  return [...shared, ...folders.flatMap((folder) => filesBelow(folder, isInput))];
}

function isInput(name) {
  return !NO_INPUT.has(name) && !name.startsWith('.') && !/\.test\.tsx?$|\.(tsbuildinfo|md)$/.test(name);
}
