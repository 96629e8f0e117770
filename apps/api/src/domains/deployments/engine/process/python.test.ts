import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findPython } from './python.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nephos-python-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that answers as an interpreter of that version would, which lies in a folder of its own. */
function install(name: string, version: string): string {
  const prefix = join(folder, version);
  const program = join(prefix, 'bin', name);
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' ${program} ${prefix} ${version}\n`);
  chmodSync(program, 0o755);
  return join(prefix, 'bin');
}

it('copies an interpreter that runs do not see, and only the one that is asked for', async () => {
  const copies = join(folder, 'copies');
  const path = [
    install('python3', '3.8.1'),
    install('python3.12', '3.12.9'),
    install('python3.11', '3.11.4'),
  ];
  chmodSync(folder, 0o755);
  const python = await findPython(path.join(':'), copies);
  expect(python).toMatchObject({ version: '3.8.1', command: join(folder, '3.8.1/bin/python3') });
  const all = await python.all();
  expect(all.map(({ version }) => version).sort()).toEqual(['3.11.4', '3.12.9', '3.8.1']);
  expect(existsSync(copies)).toBe(false);
  const wanted = all.find(({ version }) => version === '3.12.9');
  if (!wanted) throw new Error('it was not found');
  expect(python.reach(wanted, false)).toBe(wanted.executable);
  expect(existsSync(copies)).toBe(false);
  const command = python.reach(wanted, true);
  expect(command.startsWith(`${copies}/`)).toBe(true);
  expect(command.endsWith('/3.12.9/bin/python3.12')).toBe(true);
  expect(existsSync(command)).toBe(true);
});

it('leaves one of the system where it is', async () => {
  const python = await findPython('', join(folder, 'copies'));
  const executable = '/usr/bin/python3.99';
  expect(python.reach({ executable, prefix: '/usr', version: '3.99.0' }, true)).toBe(executable);
  expect(python).toMatchObject({ command: undefined, version: '' });
});
