import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../process.mjs';
import { makeRelease } from '../release.mjs';
import { requireTool } from '../require-tool.ts';

const VERSION: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
const ARCHIVE = `nephos-${VERSION}.tar.gz`;
const SHELL_SCRIPTS = ['install.sh', 'deploy/nephos'];

let home: string;
let released: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-install-'));
  released = join(home, 'released');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function makeKey(name: string): string {
  const key = join(home, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  return key;
}

/** Installs below a folder of that name, from a copy of the release that `change` changed. */
function install(name: string, args: readonly string[] = [], change: (copy: string) => void = () => {}) {
  const copy = join(home, `${name}-release`);
  cpSync(released, copy, { recursive: true });
  change(copy);
  const target = join(home, name);
  const command = [join(copy, 'install.sh'), '--from', copy, '--root', target, ...args];
  const { status, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
  return { status, stderr, target };
}

describe.skipIf(!requireTool('ssh') || !requireTool('curl'))('a release', () => {
  beforeAll(() => {
    makeRelease({ folder: released, key: makeKey('key') });
  });

  test('is installed whole, and a second time changes nothing but the units', () => {
    const options = ['--domain', 'console.example.com', '--email', 'ada@example.com', '--dns', '2001:db8::1'];
    const { target, ...first } = install('machine', options);
    expect(first).toEqual({ status: 0, stderr: expect.stringMatching(/^Installing packages…\n$/) });
    expect(readlinkSync(join(target, 'opt/nephos/current'))).toBe(`releases/${VERSION}`);
    expect(readdirSync(join(target, 'opt/nephos/releases'))).toEqual([VERSION]);
    const program = join(target, 'usr/local/bin/nephos');
    const settings = join(target, 'etc/nephos/nephos.env');
    const env = { ...process.env, NEPHOS_HOME: join(target, 'opt/nephos'), NEPHOS_SETTINGS: settings };
    expect(execFileSync(program, ['version'], { env, encoding: 'utf8' })).toBe(`${VERSION}\n`);
    expect(readFileSync(settings, 'utf8')).toContain(
      'PORT=80\nHTTPS_PORT=443\nPUBLIC_URL=https://console.example.com\n',
    );
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    const units = join(target, 'etc/systemd/system');
    expect(readFileSync(join(units, 'nephos-dns-udp.socket.d/address.conf'), 'utf8')).toBe(
      '[Socket]\nListenDatagram=\nListenDatagram=[2001:db8::1]:53\n',
    );

    // The script of the release itself has no key in it, nor is there a place to fetch from.
    appendFileSync(settings, 'SIGNUPS=closed\n');
    const key = readFileSync(join(target, 'etc/nephos/release.pub'), 'utf8');
    expect(key).toMatch(/^ssh-ed25519 \S+\n$/);
    rmSync(join(units, 'nephos.service'));
    const own = join(target, 'opt/nephos/current/install.sh');
    const again = spawnSync('sh', [own, '--root', target, '--dns', '192.0.2.1'], { encoding: 'utf8' });
    expect(again).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^The settings in \S+ stay as they are: change them there\.\n$/),
    });
    expect(readFileSync(settings, 'utf8')).toMatch(/DNS_HOST=2001:db8::1\n.*SIGNUPS=closed\n$/s);
    expect(readFileSync(join(target, 'etc/nephos/release.pub'), 'utf8')).toBe(key);
    expect(existsSync(join(units, 'nephos.service'))).toBe(true);
  });

  test('that is older than the one that serves is refused, however well it is signed', () => {
    const target = join(home, 'newer');
    const { releases, current } = { releases: join(target, 'opt/nephos/releases'), current: '9.0.0-rc2' };
    mkdirSync(join(releases, current), { recursive: true });
    symlinkSync(`releases/${current}`, join(target, 'opt/nephos/current'));
    const lay = [join(released, 'install.sh'), '--root', target, '--release-only', '--from', released];
    expect(spawnSync('sh', lay, { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: `install.sh: ${VERSION} is older than 9.0.0-rc2, which serves, and cannot take its place\n`,
    });
    expect(readdirSync(releases)).toEqual([current]);
  });

  test.each<[string, string, (copy: string) => void]>([
    ['a changed byte', 'is not what SHA256SUMS says', (copy) => flipByte(join(copy, ARCHIVE))],
    ['other sums', 'signature', (copy) => appendFileSync(join(copy, 'SHA256SUMS'), '\n')],
    ['no signature', 'cannot be read', (copy) => rmSync(join(copy, 'SHA256SUMS.sig'))],
    ['a version elsewhere', 'is not a version', (copy) => writeFileSync(join(copy, 'latest'), '../1')],
    ['another key', 'signature', () => makeKey('other')],
  ])('with %s is refused before anything of it is unpacked', (name, reason, change) => {
    const args = name === 'another key' ? ['--key', join(home, 'other.pub')] : [];
    const { status, stderr, target } = install(name.replaceAll(' ', '-'), args, change);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) });
    expect(existsSync(target)).toBe(false);
  });
});

test.skipIf(!requireTool('shellcheck'))('the scripts are plain POSIX', () => {
  execFileSync('shellcheck', ['--shell=sh', ...SHELL_SCRIPTS], { cwd: root, stdio: 'inherit' });
});

test.skipIf(!requireTool('systemd-analyze'))(
  'the units are what systemd takes, and held to what they need',
  () => {
    const units = join(home, 'units');
    mkdirSync(units);
    const names = readdirSync(join(root, 'deploy')).filter((name) => /\.(service|socket)$/.test(name));
    expect(names).toHaveLength(5);
    for (const name of names) {
      const text = readFileSync(join(root, 'deploy', name), 'utf8');
      // The program is where a release was installed.
      writeFileSync(join(units, name), text.replace('/usr/local/bin/nephos', '/bin/true'));
    }
    const verified = spawnSync('systemd-analyze', ['verify', ...names], { cwd: units, encoding: 'utf8' });
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    const service = join(units, 'nephos.service');
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=70', service]);
  },
);

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}
