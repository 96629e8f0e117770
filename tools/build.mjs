import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, fingerprint, stampFile } from './fingerprint.mjs';
import { root, runQuietly, say } from './process.mjs';

const ADVICE =
  'The web app could not be built (see above). `npm run check` says more about a mistake in the sources.';
const NO_INPUT = new Set(['node_modules', 'dist', 'e2e', 'test', 'screenshots', 'routeTree.gen.ts']);

/** Builds the web app, unless the built one is of the same sources. */
export async function buildWeb() {
  const stamp = stampFile('built');
  const wanted = fingerprint(inputs());
  if (stamp.read() === wanted && existsSync(join(root, 'apps', 'web', 'dist', 'index.html'))) return;
  say('Building the web app…');
  stamp.clear();
  await runQuietly(
    join(root, 'node_modules', '.bin', 'turbo'),
    ['run', 'build', '--filter=@nephos/web'],
    ADVICE,
  );
  stamp.write(wanted);
}

function inputs() {
  const shared = ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json'];
  // The markup of the API's own pages names the classes that their style sheet is made of.
  const folders = ['apps/web', 'packages/contracts', 'apps/api/src/domains/auth', 'apps/api/src/http'];
  return [...shared, ...folders.flatMap((folder) => filesBelow(folder, isInput))];
}

function isInput(name) {
  return !NO_INPUT.has(name) && !name.startsWith('.') && !/\.test\.tsx?$|\.(tsbuildinfo|md)$/.test(name);
}
