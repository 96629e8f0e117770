import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { confined } from './confine.ts';
import { findPrograms } from './find-program.ts';
import type { ProcessParts } from './process-parts.ts';
import type { Command } from './run-command.ts';

const path = process.env.PATH ?? '';
const [setpriv] = findPrograms('setpriv', path);
const [prlimit] = findPrograms('prlimit', path);

it.runIf(setpriv && prlimit)('lets variables that load code only into a program that is limited', () => {
  // The loader writes which program it works for to standard error, as code that it loads would run in each.
  const env = { PATH: path, LD_DEBUG: 'statistics', GREETING: 'hello' };
  const argv = ['cat', '/proc/self/limits', '/proc/self/status', '/proc/self/environ'];
  // As much of them as a command without a sandbox needs.
  const parts = { toolchain: { path, setpriv, prlimit, namespace: [] }, sandbox: {}, limits: LIMITS };
  const run = { account: undefined, walls: { groups: [], enterNetwork: [] } };
  const command = confined(
    { argv, env, folder: '/', run, maxFileBytes: 12_345_678 } as unknown as Command,
    parts as unknown as ProcessParts,
  );
  expect(command.env).toEqual({ PATH: path, GREETING: 'hello' });
  const [program = '', ...args] = command.argv;
  const said = execFileSync(program, args, { env: command.env, encoding: 'utf8', stdio: 'pipe' });
  expect(said).toMatch(/Max file size\s+12345678/);
  expect(said).toMatch(/NoNewPrivs:\s+1/);
  expect(said).toContain('LD_DEBUG=statistics');
  expect(said).toContain('GREETING=hello');
});
