import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

function nephos(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('runs what it is told and lists what there is', () => {
  expect(nephos('version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(nephos('help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ {2}version +\S/m) });
  expect(nephos('constructor')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('There is no command constructor.'),
  });
});
