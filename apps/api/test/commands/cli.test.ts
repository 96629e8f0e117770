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

it.each(['backup', 'migrate', 'restore', 'upgrade', 'version'])('says how %s is used', (name) => {
  const usage = expect.stringMatching(new RegExp(`^Usage: nephos ${name}\\b.*$`, 'm'));
  for (const help of ['--help', '-h']) {
    expect(nephos(name, help)).toMatchObject({ status: 0, stdout: usage, stderr: '' });
  }
  const { status, stdout, stderr } = nephos(name, '--nothing');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  const [said, below] = stderr.split('\n');
  expect(said).toBe(`nephos ${name}: Unknown option '--nothing'`);
  expect(below).toEqual(usage);
});

it('refuses what backups do not do', () => {
  expect(nephos('backup', 'lsit')).toMatchObject({
    status: 2,
    stderr:
      'nephos backup: Unknown or extra words: lsit\nUsage: nephos backup [init|list|prove|recovery-key]\n',
  });
});
