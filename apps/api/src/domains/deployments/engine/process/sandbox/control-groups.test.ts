import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findControlGroups } from './control-groups.ts';
import { hierarchiesOf } from './hierarchies.ts';

let top: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'nephos-groups-'));
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(top, name), 'utf8');
const mounts = (root = '/') => `31 23 0:27 ${root} ${top} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`;
const LIMITS = { memory: 100, cpu: 150, tasks: 50 };

/** A folder as the kernel makes it, as far as we write there. */
function group(name: string, controllers: string, type = true) {
  mkdirSync(join(top, name), { recursive: true });
  writeFileSync(join(top, name, 'cgroup.controllers'), controllers);
  writeFileSync(join(top, name, 'cgroup.procs'), '');
  if (type) writeFileSync(join(top, name, 'cgroup.type'), 'domain\n');
}

it('takes the group that was delegated to it, out of which it moves itself', () => {
  group('.', 'cpu memory pids', false);
  group('app.slice/run.scope', 'memory pids');
  writeFileSync(join(top, 'app.slice/run.scope/cgroup.procs'), '41\n42\n');
  const groups = findControlGroups('0123456789', {
    mounts: mounts(),
    own: '0::/app.slice/run.scope\n',
    isRoot: false,
  });
  expect(groups?.controllers).toEqual(['memory', 'pids']);
  expect(read('app.slice/run.scope/nephos-server/cgroup.procs')).toBe('42');
  expect(read('app.slice/run.scope/cgroup.subtree_control')).toBe('+memory +pids');
  expect(read('app.slice/run.scope/nephos-01234567/cgroup.subtree_control')).toBe('+memory +pids');
});

it('as root stands beside the other groups of the machine, and moves nobody', () => {
  group('.', 'cpu memory pids', false);
  group('user.slice/session.scope', 'memory pids');
  const place = { mounts: mounts(), own: '0::/user.slice/session.scope\n', isRoot: true };
  const groups = findControlGroups('0123456789', place);
  expect(groups?.controllers).toEqual(['memory', 'cpu', 'pids']);
  expect(existsSync(join(top, 'user.slice/session.scope/nephos-server'))).toBe(false);

  const parent = join(top, 'nephos-01234567');
  const folder = join(parent, 'one');
  mkdirSync(folder);
  for (const name of ['memory.max', 'memory.oom.group', 'cpu.max', 'pids.max'])
    writeFileSync(join(folder, name), '');
  const one = groups?.open('one', LIMITS);
  expect(one?.folders).toEqual([folder]);
  const name = 'nephos-01234567/one';
  expect([read(`${name}/memory.max`), read(`${name}/memory.oom.group`)]).toEqual([
    String(100 * 1024 ** 2),
    '1',
  ]);
  expect([read(`${name}/cpu.max`), read(`${name}/pids.max`)]).toEqual(['150000 100000', '50']);
  writeFileSync(join(folder, 'memory.events'), 'low 0\noom 1\noom_kill 0\n');
  expect(one?.isOutOfMemory()).toBe(false);
  writeFileSync(join(folder, 'memory.events'), 'low 0\noom 1\noom_kill 2\n');
  expect(one?.isOutOfMemory()).toBe(true);
});

it('finds its own group where a container sees a part of the tree', () => {
  group('.', 'cpu memory pids');
  const seen = hierarchiesOf({ mounts: mounts('/docker/x'), own: '0::/docker/x\n' });
  expect(seen).toEqual([{ version: 2, top, folder: top, controllers: [] }]);
  expect(hierarchiesOf({ mounts: mounts('/docker/x'), own: '0::/docker/other\n' })).toEqual([]);
});

it('has none where nothing may be written, or nothing is mounted', () => {
  expect(findControlGroups('0123456789', { mounts: '', own: '0::/\n', isRoot: true })).toBeUndefined();
  // The folder is not there, as one that cannot be written to.
  const place = { mounts: mounts(), own: '0::/gone\n', isRoot: false };
  expect(findControlGroups('0123456789', place)).toBeUndefined();
});
