import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requireTool } from '../require-tool.ts';

let bin: string;

beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'nephos-path-'));
  vi.stubEnv('PATH', bin);
  vi.stubEnv('REQUIRE_TOOLS', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(bin, { recursive: true });
});

test('finds a program on the PATH', () => {
  symlinkSync(process.execPath, join(bin, 'git'));
  expect(requireTool('git')).toBe(true);
});

test('says what to install where the program is absent', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(requireTool('python3')).toBe(false);
  expect(warn).toHaveBeenCalledWith('skipped: needs python3 (apt-get install python3 python3-venv)');
});

test('fails instead where every tool is required', () => {
  vi.stubEnv('REQUIRE_TOOLS', '1');
  expect(() => requireTool('python3')).toThrow('needs python3');
});

test('knows only the programs that CI installs', () => {
  expect(() => requireTool('no-such-tool')).toThrow('add it, so that CI installs it');
});
