import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, stampFile } from './fingerprint.mjs';
import { root, runQuietly, say, withPnpm } from './process.mjs';

const WORKSPACES = ['apps', 'packages'];
const ADVICE =
  'The packages could not be installed (see above). Check the network and the free space, then run the same command again.';

/** What pnpm is told for each extent, the least first; every one holds those before it. */
const EXTENTS = {
  /** The server alone. */
  image: ['--prod', '--filter=nephos', '--filter=@nephos/api...'],
  /** And what the web app is built of and with. */
  start: ['--prod'],
  /** And what tests, checks and benchmarks use. */
  everything: [],
};
const NAMES = Object.keys(EXTENTS);

/**
 * Installs what the lock file says, unless that or more was done already. What was installed before stays.
 * @param {keyof EXTENTS} needed
 */
export async function installPackages(needed) {
  const stamp = stampFile('installed');
  const [before = '', stateBefore] = stamp.read().split(' ');
  const state = fingerprint(inputs(), [platform()]);
  const enough = NAMES.indexOf(before) >= NAMES.indexOf(needed);
  if (enough && stateBefore === state) return;
  say('Installing packages…');
  stamp.clear();
  const extent = enough ? before : needed;
  const install = withPnpm('pnpm', ['install', '--frozen-lockfile', ...EXTENTS[extent]]);
  await runQuietly('npm', install, { advice: ADVICE });
  stamp.write(`${extent} ${state}`);
}

function inputs() {
  const members = WORKSPACES.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  return ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...members].filter((file) =>
    existsSync(join(root, file)),
  );
}

function platform() {
  return `${process.platform}-${process.arch}`;
}
