import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, stampFile } from './fingerprint.mjs';
import { root, runQuietly, say } from './process.mjs';

const WORKSPACES = ['apps', 'packages'];
const ADVICE =
  'The packages could not be installed (see above). Check the network and the free space, then run the same command again.';

/**
 * Installs what the lock file says, unless that was done already.
 * production: 'no' | 'accepted' (packages without the development tools will do) | 'wanted'
 */
export async function installPackages({ production = 'no' } = {}) {
  const stamp = stampFile('installed');
  const [full, lean] = ['full', 'production'].map((mode) => fingerprint(inputs(), [mode, platform()]));
  const done = stamp.read();
  if (done === full || (production !== 'no' && done === lean)) return;
  say('Installing packages…');
  stamp.clear();
  const lacking = production === 'wanted' ? ['--prod'] : [];
  await runQuietly('pnpm', ['install', '--frozen-lockfile', ...lacking], ADVICE);
  stamp.write(production === 'wanted' ? lean : full);
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
