import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './process.mjs';

/** What lies in node_modules of an archive, so that where it is unpacked the web app counts as built. */
const BUILT = join('node_modules', '.nephos-built');

/**
 * Writes a release of the commit that is checked out into `folder`: the archive, the sums with a signature by the SSH
 * key in the file `key`, `latest`, and install.sh with the public key in it. The web app has to be built, and what the
 * version leaves of an installation committed. The path of the archive.
 * @param {{ folder: string, key: string }} options
 */
export function makeRelease({ folder, key }) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assertKept(version);
  const archive = `nephos-${version}.tar.gz`;
  const stage = mkdtempSync(join(tmpdir(), 'nephos-release-'));
  try {
    mkdirSync(folder, { recursive: true });
    const inside = join(stage, `nephos-${version}`);
    mkdirSync(inside);
    run('sh', ['-c', 'git archive HEAD | tar --extract --directory "$1"', 'sh', inside]);
    cpSync(join(root, 'apps', 'web', 'dist'), join(inside, 'apps', 'web', 'dist'), { recursive: true });
    mkdirSync(join(inside, 'node_modules'));
    cpSync(join(root, BUILT), join(inside, BUILT));
    // The same commit makes the same archive, whoever makes it and when.
    const time = run('git', ['log', '-1', '--format=%cI']).trim();
    const alike = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=${time}`];
    const packed = ['--use-compress-program=gzip --no-name', '--file', join(folder, archive)];
    run('tar', ['--create', ...alike, ...packed, '--directory', stage, `nephos-${version}`]);
    writeFileSync(join(folder, 'latest'), `${version}\n`);
    writeInstaller(folder, key);
    sign(folder, archive, key);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return join(folder, archive);
}

/** Without what this version leaves, no later one could be tried on it. */
function assertKept(version) {
  const kept = `apps/api/test/upgrades/${version}.json.gz`;
  if (run('git', ['ls-tree', '--name-only', 'HEAD', kept]).trim() === kept) return;
  throw new Error(
    `${kept} is not committed: run MAKE_INSTALLATION=${version} npm test -- apps/api/test/upgrades first.`,
  );
}

function writeInstaller(folder, key) {
  const script = readFileSync(join(root, 'install.sh'), 'utf8');
  const [kind, text] = run('ssh-keygen', ['-y', '-f', key]).split(/\s+/);
  const withKey = script.replace(/^RELEASE_KEY=''$/m, `RELEASE_KEY='${kind} ${text}'`);
  writeFileSync(join(folder, 'install.sh'), withKey, { mode: 0o755 });
}

function sign(folder, archive, key) {
  const sums = join(folder, 'SHA256SUMS');
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, archive)))
    .digest('hex');
  writeFileSync(sums, `${sum}  ${archive}\n`);
  rmSync(`${sums}.sig`, { force: true });
  run('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', 'nephos-release', sums]);
}

/** @returns {string} */
function run(file, args) {
  return execFileSync(file, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
